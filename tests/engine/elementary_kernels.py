"""Elementary functions as functions of arrays, and data and measures for their tests."""

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from oakum import dtypes
from oakum.compile import elementary
from oakum.compile.elementary import TABLE
from oakum.compile.llvm.llvm_function import Function, module
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native import jit_link, target
from oakum.dtypes import DType
from oakum.values import host


@functools.cache
def kernel(
    name: str, dtype: DType, width: int, count: int = 1, params: tuple[int, ...] = ()
) -> Callable[..., Any]:
    """A function of arrays that applies an elementary function to so many elements at a time."""

    def write(f: Function, *operands: Value) -> Value:
        return TABLE[name](f, *operands, *params)

    return compiled(write, dtype, width, count)


def compiled(
    write: Callable[..., Value], dtype: DType, width: int, count: int = 1
) -> Callable[..., Any]:
    """A function of arrays that does what is written for so many elements at a time."""
    pointers = [("ptr", f"x{n}") for n in range(count)]
    function = Function("kernel", [("ptr", "out"), *pointers, ("i64", "n")], target.host())
    with function.loop(0, Value("%n", dtypes.int64), width) as loop:
        operands = [function.load(f"%x{n}", loop.index, dtype, width) for n in range(count)]
        result = write(function, *operands)
        function.store(result, "%out", loop.index)
    called = elementary.addresses(function.called, target.host())
    library = jit_link.link(module(target.host(), [function]), ["kernel"], called)
    kinds = [ctypes.c_void_p] * (1 + count)
    entry = ctypes.CFUNCTYPE(None, *kinds, ctypes.c_int64)(library["kernel"])

    def call(*arrays: Any) -> Any:
        size = arrays[0].size
        assert size % width == 0
        assert library is not None
        out = np.empty(size, host.dtype(result.dtype))
        entry(out.ctypes.data, *[x.ctypes.data for x in arrays], size)
        return out

    return call


def floats(dtype: DType, count: int, seed: int) -> Any:
    """Floats of all sizes: random bits, common numbers, halves, and edges."""
    random = np.random.default_rng(seed)
    kind = host.dtype(dtype)
    words = random.integers(0, 2 ** (8 * kind.itemsize), count, f"u{kind.itemsize}")
    edges = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, np.inf, -np.inf, np.nan, -np.nan]
    with np.errstate(all="ignore"):
        common = (random.normal(size=count) * 10).astype(kind)
        halves = (np.round(random.normal(size=count) * 10) / 2).astype(kind)
        special = random.choice(np.array(edges, kind), count)
        parts = [part.astype(np.float64) for part in (words.view(kind), common, halves, special)]
        return np.choose(random.integers(0, len(parts), count), parts).astype(kind)


def integers(dtype: DType, count: int, seed: int) -> Any:
    """Integers of all sizes, and the edges of their range often."""
    random = np.random.default_rng(seed)
    kind = host.dtype(dtype)
    info = np.iinfo(kind)
    any_ = random.integers(info.min, info.max, count, kind, endpoint=True)
    small = random.integers(max(info.min, -5), 70, count).astype(kind)
    edges = [0, 1, 2, 3, 7, info.min, info.max, info.min + 1, info.max if info.min == 0 else -1]
    special = random.choice(np.array(edges, kind), count)
    chosen = random.integers(0, 3, count)
    return np.where(chosen == 0, any_, np.where(chosen == 1, small, special))


def same(result: Any, expected: Any) -> Any:
    """Where two arrays have the same bits, or NaN."""
    if result.dtype.kind in "iub":
        return result == expected
    word = f"u{result.dtype.itemsize}"
    nans = (result != result) & (expected != expected)
    return (result.view(word) == expected.view(word)) | nans


def errors(result: Any, exact: Any) -> Any:
    """How far each result is from the exact one, in units of the last place; infinite where one is
    NaN, or infinite, and the other is not.
    """
    info = np.finfo(result.dtype)
    exact = exact.astype(np.longdouble)
    with np.errstate(all="ignore"):
        nearest = exact.astype(result.dtype)
        size = np.where(np.isfinite(exact), np.abs(exact), 0)
        exponent = np.frexp(np.where(size > 0, size, 1))[1] - 1
        unit = np.ldexp(np.longdouble(1), np.maximum(exponent, info.minexp) - info.nmant)
        distance = np.abs(result.astype(np.longdouble) - exact) / unit
    # Where a rounding more or less decides on an overflow, the greatest number is as good.
    edge = np.isinf(nearest) & (np.abs(result) == info.max) | (
        np.isinf(result) & (np.abs(nearest) == info.max)
    )
    usual = np.isfinite(nearest) & np.isfinite(result)
    alike = (nearest == result) | (np.isnan(nearest) & np.isnan(result)) | edge
    return np.where(usual, distance, np.where(alike, 0, np.inf)).astype(float)
