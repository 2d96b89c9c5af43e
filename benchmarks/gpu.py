# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Measures programs on the GPU of this machine, and says which targets they reach.

    python benchmarks/gpu.py [--emulated] [--only TEXT] [--markdown FILE]

Each class of kernels is compared with the CPU, in a small size with the emulator bit for bit, and
timed by events of the device: GB/s of what it has to read and write, beside the bandwidth of a copy
in the same run. Products are given in TFLOP/s. Whole programs are timed by the host, beside JAX
where it is installed with CUDA, in one process and in alternation. `--emulated` is a dry run of the
small sizes on a machine without a GPU, which times nothing.

Ends with status 1 where a result is wrong; a target that is missed is a row, not an error.
"""

from __future__ import annotations

import argparse
import functools
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import ml_dtypes
import numpy as np
from gpu_workloads.kernel_classes import CLASSES, PRODUCTS, KernelClass
from gpu_workloads.training_steps import Programs, arguments

import oakum
import oakum.numpy as jnp
from oakum.compile.executable import Executable
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.compile.nvptx.gpu_program import GpuProgram
from oakum.runtime.arrays import as_array
from oakum.runtime.cuda.cuda_device import CudaDevice
from oakum.runtime.emulator.emulated_device import EmulatedDevice

SMALLER = 64
"""The number that sizes are divided by for the emulator."""

TIMES = 7
TOGETHER = 10
"""Runs between two events: the device is not idle between them."""

UNORDERED = ("scatter: add rows of 64",)
"""Sums by atomics, whose order is not the same twice."""


def compiled(function: Callable[..., Any], args: Any, device: Any) -> GpuProgram:
    closed: Any = oakum.make_jaxpr(function)(*args)
    made = Executable(getattr(closed, "closed", closed), GpuBackend(lambda: device))
    if not isinstance(made.program, GpuProgram):
        raise RuntimeError(made.refusal)
    return made.program


def raws_of(args: Any) -> list[Any]:
    return [np.asarray(x) for x in oakum.tree.leaves(args)]


def distance(found: list[Any], wanted: list[Any]) -> float:
    """The greatest difference, as a share of the greatest element."""
    worst = 0.0
    for one, other in zip(found, wanted, strict=True):
        wide = "c16" if other.dtype.kind == "c" else "f8"
        one, other = one.astype(wide), other.astype(wide)
        scale = np.nanmax(np.abs(other), initial=0) or 1
        worst = max(worst, float(np.nanmax(np.abs(one - other), initial=0) / scale))
    return worst


def seconds(made: GpuProgram, args: Any, device: CudaDevice) -> float:
    """The median time of a run on the device."""
    arrays = [as_array(x) for x in raws_of(args)]
    for _ in range(3):
        kept = made.run(arrays, "benchmark")
    timer, found = device.timer(), []
    for _ in range(TIMES):
        timer.start()
        for _ in range(TOGETHER):
            kept = made.run(arrays, "benchmark")
        found.append(timer.stop() / TOGETHER)
    del kept
    return statistics.median(found)


def copy_bandwidth(device: CudaDevice) -> float:
    """The bytes a second that a copy on the device reads and writes."""
    nbytes = 1 << 28
    to, source = device.allocate(nbytes), device.allocate(nbytes)
    device.put(source, np.random.default_rng(0).standard_normal(nbytes // 4, dtype="f4"))
    timer, found = device.timer(), []
    for _ in range(20):
        timer.start()
        device.copy(to, source, nbytes)
        found.append(timer.stop())
    device.release(to)
    device.release(source)
    return 2 * nbytes / statistics.median(found)


class Report:
    """Rows that are shown as they are found, and written as Markdown at the end."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.is_wrong = False

    def say(self, line: str) -> None:
        print(line, flush=True)
        self.lines.append(line)

    def row(self, *cells: str) -> None:
        self.say(f"| {' | '.join(cells)} |")

    def head(self, *cells: str) -> None:
        self.say("")
        self.row(*cells)
        self.row(*["---"] * len(cells))


def check(case: KernelClass, device: Any, report: Report) -> str:
    """Says whether a small size has the bits of the emulator and the values of the CPU."""
    args = case.arguments(SMALLER)
    wanted = [np.asarray(x) for x in oakum.tree.leaves(oakum.jit(case.function)(*args))]
    found = compiled(case.function, args, device)(raws_of(args))
    away = distance(found, wanted)
    if away > case.near:
        report.is_wrong = True
        return f"WRONG by {away:.0e}"
    if isinstance(device, EmulatedDevice) or case.name in UNORDERED:
        return f"{away:.0e}"
    emulated = compiled(case.function, args, EmulatedDevice())(raws_of(args))
    if any(x.tobytes() != y.tobytes() for x, y in zip(found, emulated, strict=True)):
        report.is_wrong = True
        return f"{away:.0e}, OTHER BITS THAN EMULATED"
    return f"{away:.0e}, bits as emulated"


def run_classes(device: Any, report: Report, ceiling: float | None, only: str) -> None:
    report.head("kernels", "launches", "result", "us", "GB/s", "of copy", "target")
    for case in CLASSES:
        if only not in case.name:
            continue
        try:
            result = check(case, device, report)
            if ceiling is None:
                report.row(case.name, "", result, "", "", "", "")
                continue
            args = case.arguments(1)
            made = compiled(case.function, args, device)
            taken = seconds(made, args, device)
            outputs = sum(x.nbytes for x in made(raws_of(args)))
            moved = (sum(x.nbytes for x in raws_of(args)) + outputs) / taken
            verdict = ""
            if case.target is not None:
                passed = "PASS" if moved >= case.target * ceiling else "FAIL"
                verdict = f"{passed} ({case.target:.0%})"
            launches = str(len(made.kernels))
            share = f"{moved / ceiling:.0%}"
            report.row(
                case.name,
                launches,
                result,
                f"{taken * 1e6:.0f}",
                f"{moved / 1e9:.0f}",
                share,
                verdict,
            )
        except Exception as error:
            report.is_wrong = True
            report.row(case.name, "", f"{type(error).__name__}: {str(error)[:120]}", "", "", "", "")


def run_products(device: CudaDevice, report: Report, only: str) -> None:
    report.head("product", "precision", "by", "us", "TFLOP/s")
    for m, k, n, dtype in PRODUCTS:
        for precision in ("highest", "tensorfloat32") if dtype == "float32" else ("",):
            if only not in f"product {m}":
                continue
            kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
            chance = np.random.default_rng(0)
            x = chance.standard_normal((m, k), dtype="f4").astype(kind)
            y = chance.standard_normal((k, n), dtype="f4").astype(kind)
            function = functools.partial(jnp.matmul, precision=precision or None)
            made = compiled(function, (x, y), device)
            taken = seconds(made, (x, y), device)
            title = made.kernels[-1].title.split(":")[0]
            rate = 2 * m * k * n / taken / 1e12
            report.row(
                f"{m} x {k} x {n} {dtype}", precision, title, f"{taken * 1e6:.0f}", f"{rate:.1f}"
            )


def host_seconds(call: Callable[[], Any], ready: Callable[[Any], Any]) -> float:
    begun = time.perf_counter()
    for _ in range(20):
        found = call()
    ready(found)
    return (time.perf_counter() - begun) / 20


def run_programs(report: Report, only: str) -> None:
    """Times whole programs, beside JAX where there is one with CUDA."""
    peer: Any = None
    try:
        import jax
        import jax.numpy

        peer = jax if jax.default_backend() == "gpu" else None
    except ImportError:
        pass
    report.head("program", "precision of products", "oakum us", "JAX us", "ratio", "difference")
    for precision in ("highest", "tensorfloat32"):
        mine = Programs(oakum, jnp).by_name()
        theirs = {} if peer is None else Programs(peer, peer.numpy).by_name()
        for name, args in arguments().items():
            if only not in name or (precision != "highest" and "step" not in name):
                continue
            with oakum.default_matmul_precision(precision):
                report.row(
                    name, precision, *measured(mine[name], theirs.get(name), args, peer, precision)
                )


def measured(mine: Any, theirs: Any, args: Any, peer: Any, precision: str) -> list[str]:
    gpu = oakum.devices("gpu")[0]
    given = oakum.device_put(args, gpu)
    function = oakum.jit(mine)
    ours = lambda: function(*given)  # noqa: E731
    result = oakum.block_until_ready(ours())
    if peer is None:
        times = [host_seconds(ours, oakum.block_until_ready) for _ in range(TIMES)]
        return [f"{statistics.median(times) * 1e6:.0f}", "", "", ""]
    with peer.default_matmul_precision(precision):
        taken = peer.tree.map(peer.numpy.asarray, args)
        other = peer.jit(theirs)
        yours = lambda: other(*taken)  # noqa: E731
        expected = peer.block_until_ready(yours())
        pairs = []
        for _ in range(TIMES):
            pairs.append(
                (
                    host_seconds(ours, oakum.block_until_ready),
                    host_seconds(yours, peer.block_until_ready),
                )
            )
    away = distance(raws_of(result), [np.asarray(x) for x in peer.tree.leaves(expected)])
    one, two = (statistics.median(column) for column in zip(*pairs, strict=True))
    return [f"{one * 1e6:.0f}", f"{two * 1e6:.0f}", f"{one / two:.2f}", f"{away:.0e}"]


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures programs on the GPU of this machine.")
    parser.add_argument("--emulated", action="store_true", help="a dry run of small sizes")
    parser.add_argument("--only", default="", help="rows whose names have this text")
    parser.add_argument("--markdown", type=Path, help="the file to write the rows to")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    report = Report()
    if given.emulated:
        run_classes(EmulatedDevice(), report, None, given.only)
        return int(report.is_wrong)
    device = CudaDevice()
    major, minor = device.driver.version()
    ceiling = copy_bandwidth(device)
    report.say(
        f"{time.strftime('%Y-%m-%d')}: {device.facts.name}, CUDA {major}.{minor} of the driver,"
    )
    report.say(f"a copy reads and writes {ceiling / 1e9:.0f} GB/s.")
    run_classes(device, report, ceiling, given.only)
    run_products(device, report, given.only)
    run_programs(report, given.only)
    if given.markdown:
        given.markdown.write_text("# Measured on a GPU\n\n" + "\n".join(report.lines) + "\n")
    return int(report.is_wrong)


if __name__ == "__main__":
    sys.exit(main())
