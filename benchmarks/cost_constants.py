# pyright: basic
# Lambdas that are traced have no types for the strict mode.
"""Measures what the constants of the CPU's cost model are worth.

Each constant that chooses between two forms of code is set to half, to itself and to double, and
programs on either side of its border are compiled and timed so; each estimate of a time is compared
with the time. The table goes to `cost_constants.md`, which the comments beside the constants cite:

    OAKUM_NUM_THREADS=1 python benchmarks/cost_constants.py > benchmarks/cost_constants.md
"""

from __future__ import annotations

import importlib
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.cpu import cpu_backend
from oakum.compile.cpu.contraction import sharing
from oakum.compile.cpu.kernels import dispatch
from oakum.compile.executable import Executable
from oakum.compile.loops.operations import weight

Program = Callable[..., Any]
RNG = np.random.default_rng(0)


def floats(*shape: int) -> Any:
    return RNG.normal(size=shape).astype("f4")


@dataclass(frozen=True)
class Border:
    """A constant, and programs that are on one side of it and on the other."""

    where: str
    """The module below `oakum.compile.cpu` and the name, or the field of the policy."""
    programs: dict[str, tuple[Program, tuple[Any, ...]]]


def softmax(x: Any) -> Any:
    e = jnp.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def layernorm(x: Any) -> Any:
    d = x - x.mean(1, keepdims=True)
    return d * lax.rsqrt((d * d).mean(1, keepdims=True) + 1e-5)


def dense(x: Any, w: Any, b: Any, r: Any) -> Any:
    return jnp.maximum(x @ w + b, 0) + r


def of_dense(rows: int, inner: int, columns: int) -> tuple[Program, tuple[Any, ...]]:
    given = floats(rows, inner), floats(inner, columns), floats(columns), floats(rows, columns)
    return dense, given


def of_product(m: int, k: int, n: int) -> tuple[Program, tuple[Any, ...]]:
    return (lambda x, y: x @ y), (floats(m, k), floats(k, n))


def long_chain(x: Any) -> Any:
    y = x
    for number in range(30):
        y = y * x + float(number)
    return y


BORDERS = [
    Border(
        "policy.staged_bytes",
        {f"softmax 64x{n}": (softmax, (floats(64, n),)) for n in (6144, 12288)},
    ),
    Border(
        "policy.recomputed_ns",
        {
            "softmax 512x512": (softmax, (floats(512, 512),)),
            "layer norm 512x512": (layernorm, (floats(512, 512),)),
            "log softmax": (
                lambda x: x - jnp.log(jnp.exp(x).sum(1, keepdims=True)),
                (floats(512, 512),),
            ),
        },
    ),
    Border(
        "policy.shortest_staged_row",
        {f"softmax 40000x{n}": (softmax, (floats(40000, n),)) for n in (6, 12)},
    ),
    Border(
        "policy.reduction_parts",
        {
            "sum of 2^21": (jnp.sum, (floats(1 << 21),)),
            "norm of 2^20": (lambda x: jnp.sqrt((x * x).sum()), (floats(1 << 20),)),
        },
    ),
    Border(
        "policy.shortest_split",
        {f"sum of {n}": (jnp.sum, (floats(n),)) for n in (3 << 17, 3 << 18)},
    ),
    Border(
        "policy.unrolled_instructions",
        {
            f"{n} stacked": (
                lambda *x: jnp.stack(x, -1) * 2 + 1,
                tuple(floats(1 << 16) for _ in range(n)),
            )
            for n in (3, 6)
        },
    ),
    Border(
        "policy.near_bytes", {f"dense {m}x64x256": of_dense(m, 64, 256) for m in (64, 128, 512)}
    ),
    Border(
        "policy.products_per_row",
        {f"dense 1024x{k}x1024": of_dense(1024, k, 1024) for k in (128, 192, 384, 768)},
    ),
    Border(
        "policy.narrow_epilogue_ns",
        {
            "vector, tanh": (lambda x, w: jnp.tanh(w @ x), (floats(512), floats(2048, 512))),
            "vector, bias": (
                lambda x, w, b: w @ x + b,
                (floats(512), floats(2048, 512), floats(2048)),
            ),
        },
    ),
    Border(
        "policy.shortest_epilogue_row",
        {f"dense 4096x32x{n}": of_dense(4096, 32, n) for n in (6, 12)},
    ),
    Border(
        "codegen.schedule._INTERLEAVED",
        {
            "colours": (lambda x: (x * jnp.arange(3.0)).sum(-1), (floats(1 << 16, 3),)),
            "complex": (
                lambda x: (x[..., 0] * x[..., 1], x[..., 0] + x[..., 1]),
                (floats(1 << 16, 2),),
            ),
        },
    ),
    Border(
        "codegen.schedule._FEWEST",
        {f"rows of {n}": (lambda x: jnp.exp(x) + x[:1], (floats(4096, n),)) for n in (3, 6)},
    ),
    Border(
        "codegen.schedule._NEAR",
        {f"columns of {n}": (lambda x: x.sum(0), (floats(n, 2048),)) for n in (192, 384)},
    ),
    Border(
        "codegen.schedule._BLOCK_BYTES",
        {
            f"softmax of columns of {n}": (
                lambda x: jnp.exp(x - x.max(0)) / jnp.exp(x - x.max(0)).sum(0),
                (floats(n, 1024),),
            )
            for n in (512, 2048)
        },
    ),
    Border(
        "codegen.schedule._MOST_COLUMNS",
        {"columns of 2048": (lambda x: x.sum(0), (floats(2048, 4096),))},
    ),
    Border(
        "codegen.schedule._ELEMENTS_AT_ONCE",
        {f"exp of {n}": (jnp.exp, (floats(n),)) for n in (6144, 12288)},
    ),
    Border(
        "codegen.schedule._NS_AT_ONCE",
        {
            f"{n} functions": (
                lambda x, n=n: (
                    sum(
                        f(x)
                        for f in (
                            jnp.exp,
                            jnp.tanh,
                            jnp.sin,
                            jnp.cos,
                            jnp.log1p,
                            jnp.cbrt,
                            jnp.sinh,
                            jnp.cosh,
                        )[:n]
                    )
                    + jnp.exp(x * 2)
                    + jnp.exp(x * 3)
                    + jnp.exp(x * 5)
                ),
                (floats(1 << 15),),
            )
            for n in (3, 7)
        },
    ),
    Border(
        "codegen.schedule._SHORT_NS",
        {
            "exp": (jnp.exp, (floats(1 << 15),)),
            "tanh exp": (lambda x: jnp.tanh(jnp.exp(x)), (floats(1 << 15),)),
            "pow": (lambda x: jnp.abs(x) ** 1.3, (floats(1 << 15),)),
        },
    ),
    Border(
        "codegen.schedule._OPERATIONS_AT_ONCE",
        {
            "gathered": (
                lambda x, i: x[i] * 2 + x[i] ** 2,
                (floats(1 << 18), RNG.integers(0, 1 << 18, 1 << 16).astype("i4")),
            )
        },
    ),
    Border(
        "codegen.cumulative._BLOCK",
        {"cumsum of columns": (lambda x: jnp.cumsum(x, 0), (floats(512, 4096),))},
    ),
    Border(
        "codegen.transpose_tiles._BLOCK",
        {"transposed 1024": (lambda x: x.T + 1, (floats(1024, 1024),))},
    ),
    Border("contraction.planning._SUMMED", {"512x4096x512": of_product(512, 4096, 512)}),
    Border("contraction.planning._ROWS", {"1024x1024x1024": of_product(1024, 1024, 1024)}),
    Border("contraction.planning._COLUMNS", {"128x512x4096": of_product(128, 512, 4096)}),
    Border("contraction.planning._HELD", {f"{n}x{n}x{n}": of_product(n, n, n) for n in (192, 320)}),
    Border(
        "contraction.planning._AGAIN",
        {f"{m}x512x512": of_product(m, 512, 512) for m in (48, 96, 192)},
    ),
    Border(
        "contraction.planning._SWEPT", {f"2x512x{n}": of_product(2, 512, n) for n in (3072, 6144)}
    ),
    Border("contraction.planning._FEW", {f"{m}x512x512": of_product(m, 512, 512) for m in (3, 6)}),
    Border(
        "contraction.planning._SOME", {f"{m}x512x512": of_product(m, 512, 512) for m in (8, 16)}
    ),
    Border("contraction.layouts._NARROW", {"2048x256x96": of_product(2048, 256, 96)}),
    Border("contraction.prepack._REUSED", {"128x512x2048": of_product(128, 512, 2048)}),
    Border(
        "kernels.top_k._MOST",
        {
            f"top {k} of 4096": (lambda x, k=k: lax.top_k(x, k), (floats(64, 4096),))
            for k in (24, 48)
        },
    ),
    Border(
        "kernels.fft._LONGEST",
        {f"fft of {n}": (jnp.fft.fft, ((floats(64, n) + 0j).astype("c8"),)) for n in (2048, 4096)},
    ),
    Border(
        "elimination.costs._MOST_OF_QR",
        {f"qr of {n}": (jnp.linalg.qr, (floats(n, n),)) for n in (140, 190)},
    ),
]


@contextmanager
def changed(where: str, factor: float) -> Iterator[Any]:
    """Multiplies a constant for a while."""
    module, _, name = where.rpartition(".")
    if module == "policy":
        owner, name, old = cpu_backend.CpuLowering, "policy", cpu_backend.POLICY
        value = getattr(old, where.partition(".")[2])
        new = replace(old, **{where.partition(".")[2]: type(value)(value * factor)})
    else:
        owner = importlib.import_module(f"oakum.compile.cpu.{module}")
        value = old = getattr(owner, name)
        new = type(value)(value * factor)
    setattr(owner, name, new)
    try:
        yield value
    finally:
        setattr(owner, name, old)


def executable(function: Program, given: tuple[Any, ...]) -> Executable:
    traced: Any = oakum.make_jaxpr(function)(*given)
    made = Executable(getattr(traced, "closed", traced))
    assert not made.refusal, made.refusal
    return made


def microseconds(made: Executable, given: tuple[Any, ...], budget: float = 0.12) -> float:
    """The least time of a run, without what prepares it."""
    assert made.program is not None
    best, begun = float("inf"), time.process_time()
    while time.process_time() - begun < budget:
        best = min(best, made.program.seconds(given))
    return best * 1e6


def write_borders(only: str) -> None:
    print("| constant | value | program | half | as it is | double |")
    print("| --- | ---: | --- | ---: | ---: | ---: |")
    for border in BORDERS:
        if only not in border.where:
            continue
        for name, (function, given) in border.programs.items():
            times: list[float] = []
            for factor in (0.5, 1, 2):
                with changed(border.where, factor) as value:
                    times.append(microseconds(executable(function, given), given))
            half, same, double = times
            cells = f"{half / same:.2f} | {same:.0f} us | {double / same:.2f}"
            print(f"| `{border.where}` | {value} | {name} | {cells} |", flush=True)


UNARY = {"light": "abs", "div": "sqrt", "heavy": "exp tanh sin log", "long": "tan lgamma erfc"}


def write_estimates() -> None:
    print("\n| estimate | of | estimated | measured |")
    print("| --- | --- | ---: | ---: |")
    x = np.abs(floats(1 << 14)) + 0.5

    def line(what: str, of: str, estimated: float, measured: float) -> None:
        print(f"| {what} | {of} | {estimated:.3g} ns | {measured:.3g} ns |", flush=True)

    base = microseconds(executable(lambda x: x, (x,)), (x,))
    for kind, names in UNARY.items():
        for name in names.split():
            function: Any = getattr(lax, name)
            spent = microseconds(executable(lambda x, f=function: f(x), (x,)), (x,))
            line(f"weight, {kind}", name, weight(name), (spent - base) * 1e3 / x.size)
    for size in (128, 512):
        made = executable(*of_product(size, size, size))
        spent = microseconds(made, (floats(size, size), floats(size, size)))
        line(
            "`sharing._PRODUCT_NS`",
            f"{size}^3",
            sharing.cost_of(_problem(made)) / size**3,
            spent * 1e3 / size**3,
        )
    rows = floats(256, 4096)
    for axis in (0, 1):
        made = executable(lambda x, axis=axis: jnp.cumsum(x, axis), (rows,))
        line(
            "`cumulative._ELEMENT_NS`",
            f"axis {axis} of two",
            0.4,
            microseconds(made, (rows,)) * 1e3 / rows.size,
        )
    square = floats(96, 96) @ floats(96, 96) + 30 * np.eye(96, dtype="f4")
    square = square @ square.T
    side = floats(96, 96)
    kernels: dict[str, tuple[Program, tuple[Any, ...]]] = {
        "lu 96": (lax.linalg.lu, (square,)),
        "cholesky 96": (lambda x: lax.linalg.cholesky(x, symmetrize_input=False), (square,)),
        "triangular 96": (
            lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True),
            (square, side),
        ),
        "qr 96": (lambda x: lax.linalg.qr(x), (square,)),
        "fft 64x1024": (jnp.fft.fft, ((floats(64, 1024) + 0j).astype("c8"),)),
        "top 8 of 64x4096": (lambda x: lax.top_k(x, 8), (floats(64, 4096),)),
    }
    for name, (function, given) in kernels.items():
        made = executable(function, given)
        problem = _problem(made)
        line("time of a kernel", name, dispatch.cost_ns(problem), microseconds(made, given) * 1e3)


def _problem(made: Executable) -> Any:
    assert made.plan is not None
    steps: list[Any] = list(made.plan.steps)
    return next(step.problem for step in steps if hasattr(step, "problem"))


def main() -> None:
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    print(f"# Constants of the CPU's cost model\n\n{platform.machine()}, one thread; the least")
    print("time of a run, relative to that with the constant as it is; below 1.00 is faster.\n")
    write_borders(only)
    if not only:
        write_estimates()


if __name__ == "__main__":
    main()
