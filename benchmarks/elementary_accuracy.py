"""Measures how accurate and how fast the compiler's elementary functions are.

    python benchmarks/elementary_accuracy.py [--only sin,exp] [--points 20000] [--fast] > FILE

Accuracy is the greatest error in units of the last place of the result, against mpmath for float64
and, for float32, against float64 at every 1009th float. Speed is the time for an element of arrays
of 4096, on one thread, in alternating rounds with NumPy (or SciPy) and JAX, whose calls include
their dispatch; the lower quartile of the rounds counts, so that a busy machine disturbs less.
"""

import argparse
import ctypes
import importlib
import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oakum import dtypes
from oakum.compile.elementary import TABLE
from oakum.compile.llvm.llvm_function import Function, module
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native import jit_link, target
from oakum.dtypes import DType
from oakum.values import host

SIZE = 4096
STRIDE = 1009
"""Every float32 of this distance in the order of their bits is tried."""


def kernel(name: str, dtype: DType, count: int) -> Callable[..., Any]:
    """A function of arrays that applies an elementary function in vectors."""
    machine = target.host()
    width = machine.width(dtype)
    pointers = [("ptr", f"x{n}") for n in range(count)]
    function = Function("kernel", [("ptr", "out"), *pointers, ("i64", "n")], machine)
    with function.loop(0, Value("%n", dtypes.int64), width) as loop:
        operands = [function.load(f"%x{n}", loop.index, dtype, width) for n in range(count)]
        function.store(TABLE[name](function, *operands), "%out", loop.index)
    library = jit_link.link(module(machine, [function]), ["kernel"])
    kinds = [ctypes.c_void_p] * (1 + count)
    entry = ctypes.CFUNCTYPE(None, *kinds, ctypes.c_int64)(library["kernel"])

    def call(*arrays: Any) -> Any:
        size = arrays[0].size
        padded = -(-size // width) * width
        if padded != size:
            arrays = tuple(np.concatenate([x, np.ones(padded - size, x.dtype)]) for x in arrays)
        out = np.empty(padded, arrays[0].dtype)
        entry(out.ctypes.data, *[x.ctypes.data for x in arrays], padded)
        return out[:size]

    def bound(*arrays: Any) -> Callable[[], Any]:
        out = np.empty_like(arrays[0])
        addresses = [out.ctypes.data, *[x.ctypes.data for x in arrays]]
        return lambda: (entry(*addresses, out.size), library, out)

    call.__dict__["bound"] = bound
    return call


@dataclass(frozen=True)
class Case:
    """A function with its peers, and where it is measured."""

    numpy: str
    """The name of NumPy's function, or of SciPy's after a dot."""
    exact: str
    """The name of mpmath's function."""
    jax: str
    low: float
    high: float
    """Between these, half of the points are drawn; the others from all floats."""
    count: int = 1


CASES = {
    "exp": Case("exp", "exp", "lax.exp", -750, 720),
    "exp2": Case("exp2", "exp2", "lax.exp2", -1080, 1030),
    "expm1": Case("expm1", "expm1", "lax.expm1", -40, 715),
    "log": Case("log", "log", "lax.log", 0, 10),
    "log1p": Case("log1p", "log1p", "lax.log1p", -1, 10),
    "logistic": Case(".expit", "logistic", "lax.logistic", -750, 40),
    "tanh": Case("tanh", "tanh", "lax.tanh", -20, 20),
    "sinh": Case("sinh", "sinh", "lax.sinh", -711, 711),
    "cosh": Case("cosh", "cosh", "lax.cosh", -711, 711),
    "asinh": Case("arcsinh", "asinh", "lax.asinh", -10, 10),
    "acosh": Case("arccosh", "acosh", "lax.acosh", 1, 10),
    "atanh": Case("arctanh", "atanh", "lax.atanh", -1, 1),
    "sin": Case("sin", "sin", "lax.sin", -100, 100),
    "cos": Case("cos", "cos", "lax.cos", -100, 100),
    "tan": Case("tan", "tan", "lax.tan", -100, 100),
    "asin": Case("arcsin", "asin", "lax.asin", -1, 1),
    "acos": Case("arccos", "acos", "lax.acos", -1, 1),
    "atan": Case("arctan", "atan", "lax.atan", -10, 10),
    "atan2": Case("arctan2", "atan2", "lax.atan2", -10, 10, 2),
    "pow": Case("power", "power", "lax.pow", 0, 30, 2),
    "rsqrt": Case("rsqrt", "rsqrt", "lax.rsqrt", 0, 10),
    "cbrt": Case("cbrt", "cbrt", "lax.cbrt", 0, 10),
    "erf": Case(".erf", "erf", "lax.erf", -6, 6),
    "erfc": Case(".erfc", "erfc", "lax.erfc", -6, 28),
    "erf_inv": Case(".erfinv", "erfinv", "lax.erf_inv", -1, 1),
    "lgamma": Case(".gammaln", "loggamma", "lax.lgamma", 0, 20),
    "digamma": Case(".psi", "digamma", "lax.digamma", 0, 20),
    "bessel_i0e": Case(".i0e", "bessel_i0e", "lax.bessel_i0e", -12, 12),
    "bessel_i1e": Case(".i1e", "bessel_i1e", "lax.bessel_i1e", -12, 12),
}
POSITIVE = frozenset(("lgamma", "digamma"))
"""Of negative numbers, errors of these are small against one, not against the result."""


def numpy_function(name: str) -> Callable[..., Any]:
    """The function of NumPy or SciPy."""
    if name.startswith("."):
        return getattr(importlib.import_module("scipy.special"), name[1:])
    if name == "rsqrt":

        def inverse(x: Any) -> Any:
            return 1 / np.sqrt(x)

        return inverse
    return getattr(np, name)


def _scaled_bessel(mp: Any, order: int) -> Callable[..., Any]:
    def function(x: Any) -> Any:
        return mp.exp(-abs(x)) * mp.besseli(order, x)

    return function


def exact_function(name: str) -> Callable[..., Any]:
    """The function of mpmath's, for one point."""
    mp: Any = importlib.import_module("mpmath")
    mp.mp.prec = 120

    def logistic(x: Any) -> Any:
        return mp.exp(x) / (1 + mp.exp(x)) if x < 0 else 1 / (1 + mp.exp(-x))

    def root(x: Any) -> Any:
        return mp.cbrt(x) if x >= 0 else -mp.cbrt(-x)

    def inverse_root(x: Any) -> Any:
        return 1 / mp.sqrt(x)

    def real(x: Any) -> Any:
        return mp.re(mp.loggamma(x))

    def power(x: Any) -> Any:
        return mp.mpf(2) ** x

    by_hand: dict[str, Callable[..., Any]] = {
        "bessel_i0e": _scaled_bessel(mp, 0),
        "bessel_i1e": _scaled_bessel(mp, 1),
        "exp2": power,
        "logistic": logistic,
        "rsqrt": inverse_root,
        "cbrt": root,
        "loggamma": real,
    }
    found = by_hand.get(name) or getattr(mp, name)
    huge = name in ("sin", "cos", "tan")

    def function(*point: float) -> Any:
        if not all(math.isfinite(x) for x in point):
            return math.nan
        with mp.workprec(1300 if huge and abs(point[0]) > 2**60 else 120):
            try:
                value = found(*[mp.mpf(x) for x in point])
            except (ValueError, OverflowError, ZeroDivisionError):
                return math.nan
            if isinstance(value, mp.mpc) or not mp.isfinite(value):
                return math.nan
            scale, exponent = mp.frexp(value)
            high = float(scale)
            low = float(scale - high)
            whole = np.longdouble(high) + np.longdouble(low)
            return np.ldexp(whole, max(-20_000, min(20_000, int(exponent))))

    return function


def error(result: Any, exact: Any) -> float:
    """The greatest error in units of the last place, where the exact result is within range."""
    info = np.finfo(result.dtype)
    with np.errstate(all="ignore"):
        finite = np.isfinite(exact) & (np.abs(exact) < float(info.max))
        size = np.abs(exact[finite])
        exponent = np.frexp(np.where(size > 0, size, 1))[1] - 1
        unit = np.ldexp(np.longdouble(1), np.maximum(exponent, info.minexp) - info.nmant)
        distance = np.abs(result[finite].astype(np.longdouble) - exact[finite]) / unit
    return float(np.max(distance))


def points(name: str, case: Case, kind: Any, count: int) -> list[Any]:
    """Operands: half of them any floats, half from where the function changes."""
    random = np.random.default_rng(0)
    word = np.uint32 if kind is np.float32 else np.uint64
    arrays: list[Any] = []
    for number in range(case.count):
        bits = random.integers(0, np.iinfo(word).max, count // 2, word).view(kind)
        low, high = (-30.0, 30.0) if name == "pow" and number else (case.low, case.high)
        near = random.uniform(low, high, count // 2)
        arrays.append(np.concatenate([bits, near.astype(kind)]))
    if name in ("sin", "cos", "tan"):
        quadrants = np.round(10 ** random.uniform(0, 11, count // 8)) * (math.pi / 2)
        arrays[0][-quadrants.size :] = quadrants.astype(kind)
    if name == "exp":
        arrays[0][-200:] = np.linspace(709.7, 709.8, 200).astype(kind)
    if name in POSITIVE:
        arrays[0] = np.abs(arrays[0])
    return arrays


def accuracy(name: str, case: Case, dtype: DType, count: int) -> float:
    """The greatest error found."""
    kind = host.dtype(dtype).type
    if kind is np.float32 and case.count == 1:
        x = np.arange(0, 2**32, STRIDE, dtype=np.uint32).view(np.float32)
        if name in POSITIVE:
            x = np.abs(x)
        operands = [x]
        with np.errstate(all="ignore"):
            exact = numpy_function(case.numpy)(x.astype(np.float64))
    else:
        operands = points(name, case, kind, count)
        function = exact_function(case.exact)
        exact = np.array([function(*map(float, p)) for p in zip(*operands, strict=True)])
    return error(kernel(name, dtype, case.count)(*operands), exact.astype(np.longdouble))


def speeds(name: str, case: Case, dtype: DType) -> Sequence[float]:
    """Nanoseconds for an element: ours, NumPy's, JAX's."""
    jax: Any = importlib.import_module("jax")
    kind = host.dtype(dtype).type
    random = np.random.default_rng(1)
    low, high = max(case.low, -30.0), min(case.high, 30.0)
    arrays = [random.uniform(low, high, SIZE).astype(kind) for _ in range(case.count)]
    given = [jax.numpy.asarray(x) for x in arrays]
    compiled = jax.jit(getattr(jax.lax, case.jax.removeprefix("lax.")))
    ours: Any = kernel(name, dtype, case.count)
    peer = numpy_function(case.numpy)
    calls: list[Callable[[], Any]] = [
        ours.bound(*arrays),
        lambda: peer(*arrays),
        lambda: compiled(*given).block_until_ready(),
    ]
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(40):
        for call, found in zip(calls, times, strict=True):
            with np.errstate(all="ignore"):
                call()
            start = time.perf_counter()
            for _ in range(10):
                call()
            found.append((time.perf_counter() - start) / 10 / SIZE * 1e9)
    return [statistics.quantiles(found)[0] for found in times]


def rows(names: Sequence[str], count: int, fast: bool) -> Iterator[str]:
    """The table, line by line."""
    yield "| function | dtype | max ulp | ns | NumPy, SciPy | ratio | jax.jit | ratio |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for name in names:
        case = CASES[name]
        for dtype in (dtypes.float32, dtypes.float64):
            found = math.nan if fast else accuracy(name, case, dtype, count)
            ours, peer, jax = speeds(name, case, dtype)
            yield (
                f"| {name} | {dtype.short} | {found:.2f} | {ours:.2f} | {peer:.2f} "
                f"| {ours / peer:.2f} | {jax:.2f} | {ours / jax:.2f} |"
            )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--points", type=int, default=20_000)
    parser.add_argument("--fast", action="store_true", help="speed only")
    options = parser.parse_args()
    importlib.import_module("jax").config.update("jax_enable_x64", True)
    for row in rows(options.only.split(","), options.points, options.fast):
        print(row, flush=True)


if __name__ == "__main__":
    main()
