# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Large products on a GPU: right or wrong against float64, and TFLOP/s, for each tile size.

    python benchmarks/gpu_products.py              on the GPU of this machine
    python benchmarks/gpu_products.py --emulated   small ones on the emulator: a dry run
    python benchmarks/gpu_products.py --own        by our kernels, also where cuBLASLt is there
    python benchmarks/gpu_products.py --sides      each size of tiles, too: what the estimates of
                                                   `product_tiling` are made from

A line is wrong where an element of the rows that are looked at is further from float64 than the
dtype allows. Ends with status 1 if one is.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

import oakum
import oakum.numpy as jnp
from oakum.compile.executable import Executable
from oakum.compile.nvptx import library_products, product_tiling
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.compile.nvptx.gpu_program import GpuProgram
from oakum.errors import CompilationWarning
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.emulator.emulated_device import EmulatedDevice
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

Function = Callable[..., Any]

LOOKED_AT: Final = 48
"""The rows whose elements are compared."""

BOUNDS: Final = {"f4": 2e-6, "tf32": 1e-3, "bf16": 1e-2, "f2": 2e-3}
"""The distances from float64 that are allowed, as shares of the greatest element."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A product of a batch, and how its operands lie."""

    batch: int
    m: int
    k: int
    n: int
    form: str = "nn"
    """Which operands are turned; `layer` has a bias and an activation."""

    def __str__(self) -> str:
        batch = f"{self.batch} x " if self.batch > 1 else ""
        return f"{batch}{self.m} x {self.k} x {self.n} {self.form}"

    @property
    def flops(self) -> float:
        """The multiplications and additions."""
        return 2.0 * self.batch * self.m * self.k * self.n


SHAPES: Final = (
    Shape(1, 512, 512, 512),
    Shape(1, 1024, 1024, 1024),
    Shape(1, 2048, 2048, 2048),
    Shape(1, 4096, 4096, 4096),
    Shape(1, 4096, 4096, 4096, "tn"),
    Shape(1, 4096, 4096, 4096, "nt"),
    Shape(1, 4096, 4096, 4096, "layer"),
    Shape(1, 8192, 8192, 8192),
    Shape(1, 4095, 4093, 4097),
    Shape(1, 4000, 1000, 4040),
    Shape(1, 128, 16384, 128),
    Shape(1, 256, 8192, 1024),
    Shape(1, 64, 4096, 4096),
    Shape(1, 8192, 768, 3072),
    Shape(128, 1024, 64, 1024, "nt"),
    Shape(128, 1024, 1024, 64),
)

SMALL: Final = (
    Shape(1, 130, 70, 132),
    Shape(1, 67, 35, 33, "tn"),
    Shape(2, 40, 64, 72, "nt"),
    Shape(1, 20, 1100, 20, "layer"),
)


def function_of(shape: Shape) -> Function:
    match shape.form:
        case "nn":
            return lambda a, b: a @ b
        case "tn":
            return lambda a, b: jnp.swapaxes(a, -1, -2) @ b
        case "nt":
            return lambda a, b: a @ jnp.swapaxes(b, -1, -2)
        case _:
            return lambda a, b, c: jnp.maximum(a @ b + c, 0)


def operands_of(shape: Shape, dtype: str) -> list[Any]:
    chance = np.random.default_rng(0)
    first = (shape.k, shape.m) if shape.form == "tn" else (shape.m, shape.k)
    second = (shape.n, shape.k) if shape.form == "nt" else (shape.k, shape.n)
    batch = (shape.batch,) if shape.batch > 1 else ()
    sizes: list[tuple[int, ...]] = [(*batch, *first), (*batch, *second)]
    if shape.form == "layer":
        sizes.append((shape.n,))
    kinds = {"bf16": np.dtype(jnp.bfloat16), "tf32": np.dtype("f4")}
    kind = kinds.get(dtype) or np.dtype(dtype)
    return [chance.standard_normal(size, dtype="f4").astype(kind) for size in sizes]


def error_of(shape: Shape, found: Any, operands: list[Any]) -> float:
    """The greatest distance from float64 in some rows, as a share of the greatest element."""
    found = found.reshape(shape.batch, shape.m, shape.n)
    rows = np.unique(np.linspace(0, shape.m - 1, LOOKED_AT).astype(int))
    worst = 0.0
    for item in sorted({0, shape.batch - 1}):
        a, b = [x[item] if shape.batch > 1 else x for x in operands[:2]]
        a = a.T if shape.form == "tn" else a
        b = b.T if shape.form == "nt" else b
        wanted = a[rows].astype("f8") @ b.astype("f8")
        if shape.form == "layer":
            wanted = np.maximum(wanted + operands[2].astype("f8"), 0)
        unlike = np.abs(found[item, rows].astype("f8") - wanted).max()
        worst = max(worst, float(unlike / np.abs(wanted).max()))
    return worst


def program_of(shape: Shape, dtype: str, operands: list[Any], backend: GpuBackend) -> GpuProgram:
    precision = "tensorfloat32" if dtype == "tf32" else None
    with oakum.default_matmul_precision(precision):
        closed: Any = oakum.make_jaxpr(function_of(shape))(*operands)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompilationWarning)
        made = Executable(getattr(closed, "closed", closed), backend)
    if not isinstance(made.program, GpuProgram):
        raise ValueError(made.refusal)
    return made.program


def seconds_of(program: GpuProgram, arrays: list[ArrayImpl], device: Any, least: float) -> float:
    """The time of a run on the device: the shortest of five series."""
    timer = device.timer()

    def series(count: int) -> float:
        timer.start()
        for _ in range(count):
            program.run(arrays, "product")
        return timer.stop()

    for _ in range(3):
        series(1)
    count = max(int(least / max(series(3) / 3, 1e-7)), 3)
    return min(series(count) / count for _ in range(5))


def sides_of(unit: product_tiling.Unit, *, each: bool) -> Iterator[tuple[int, ...]]:
    known = product_tiling.SIDES[unit]
    yield known
    if each:
        for side in known:
            yield (side,)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--emulated", action="store_true")
    parser.add_argument("--sides", action="store_true")
    parser.add_argument("--dtypes", default="f4,tf32,bf16,f2")
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--only", default="", help="the shapes that contain this text")
    given = parser.parse_args()
    if given.emulated:
        device: Any = EmulatedDevice()
    else:
        from oakum.runtime.cuda.cuda_device import CudaDevice

        device = CudaDevice()
        print(f"device: {device.facts.name}, sm_{''.join(map(str, device.facts.capability))}")
    if given.own or given.sides:
        library_products.FEWEST = 1 << 62
    is_wrong = False
    for dtype in given.dtypes.split(","):
        unit: product_tiling.Unit = "lanes" if dtype == "f4" else "tensor cores"
        for shape in SMALL if given.emulated else SHAPES:
            if given.only not in str(shape):
                continue
            operands = operands_of(shape, dtype)
            for sides in list(sides_of(unit, each=given.sides)):
                before = product_tiling.SIDES[unit]
                product_tiling.SIDES[unit] = sides
                try:
                    line, is_right = measured(shape, dtype, operands, device)
                except ValueError:
                    if sides == before:
                        raise
                    continue  # There are no such tiles of these operands.
                finally:
                    product_tiling.SIDES[unit] = before
                is_wrong |= not is_right
                print(line, flush=True)
    return int(is_wrong)


def measured(shape: Shape, dtype: str, operands: list[Any], device: Any) -> tuple[str, bool]:
    backend = GpuBackend(lambda: device)
    program = program_of(shape, dtype, operands, backend)
    arrays = [ArrayImpl(x, ShapedArray(x.shape, x.dtype)) for x in operands]
    (result,) = program.run(arrays, "product")
    found = result.fetch((shape.batch, shape.m, shape.n), operands[0].dtype)
    error = error_of(shape, found, operands)
    is_right = error <= BOUNDS[dtype]
    speed = ""
    if not isinstance(device, EmulatedDevice):
        seconds = seconds_of(program, arrays, device, 0.02)
        speed = f"{seconds * 1e6:9.1f} us {shape.flops / seconds / 1e12:7.1f} TFLOP/s"
    words = "right" if is_right else "WRONG"
    titles = "; ".join(code.title for code in program.kernels)
    return f"{dtype:5} {shape!s:32} {words} {error:.1e} {speed} {titles}", is_right


if __name__ == "__main__":
    sys.exit(main())
