# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Complex numbers: functions, sums, products of matrices, and transforms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cpu_workloads.rows import Arrays, Row, jitted

UNARY = "exp log sqrt sin tanh abs"


def rows() -> Iterator[Row]:
    """Elements first, then sums, products and transforms."""
    for size in (1_000, 100_000, 1_000_000):
        pair = _normal((size,), (size,))
        yield jitted(f"x y + x, complex64 {size:.0e}", _product, pair, numpy=True)
        yield jitted(f"|x|^2, complex64 {size:.0e}", _squared, _normal((size,)), numpy=True)
        yield jitted(f"sum x, complex64 {size:.0e}", _summed, _normal((size,)), numpy=True)
    many = _normal((100_000,), (100_000,))
    yield jitted("x / y, complex64 1e+05", lambda _, x, y: x / y, many, numpy=True)
    for name in UNARY.split():
        one = _normal((100_000,))
        yield jitted(f"{name}, complex64 1e+05", _single(name), one, numpy=True)
    for side in (16, 128, 256, 512):
        square = _normal((side, side), (side, side))
        yield jitted(f"matmul {side}, complex64", lambda _, x, y: x @ y, square, numpy=True)
    yield jitted("vdot, complex64 1e+05", lambda j, x, y: j.numpy.vdot(x, y), many)
    yield jitted("fft(x) y, complex64 2^16", _transformed, _normal((65_536,), (65_536,)))
    yield jitted("gradient, complex64 1e+05", _derived, many)


def _normal(*shapes: tuple[int, ...]) -> Arrays:
    def make() -> list[Any]:
        random = np.random.default_rng(0)
        parts = [(random.standard_normal(s), random.standard_normal(s)) for s in shapes]
        return [(a + 1j * b).astype(np.complex64) for a, b in parts]

    return make


def _single(name: str) -> Any:
    return lambda j, x: getattr(j.numpy, name)(x)


def _product(_: Any, x: Any, y: Any) -> Any:
    return x * y + x


def _squared(_: Any, x: Any) -> Any:
    return x.real**2 + x.imag**2


def _summed(_: Any, x: Any) -> Any:
    return x.sum()


def _transformed(j: Any, x: Any, y: Any) -> Any:
    return j.numpy.fft.fft(x) * y


def _derived(j: Any, x: Any, y: Any) -> Any:
    return j.grad(lambda z: j.numpy.sum(j.numpy.abs(j.numpy.exp(z) * y) ** 2))(x)
