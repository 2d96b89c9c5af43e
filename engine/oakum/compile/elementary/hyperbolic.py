"""Hyperbolic functions and their inverses; tanh is with the exponentials.

With `x = n log 2 + r`, sinh and cosh are sums of those of `r`, which are an odd and an even
polynomial, times sums of powers of two; nothing is divided and little cancels.
"""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.elementary.exponentials import reduced
from oakum.compile.elementary.formats import (
    at_most,
    format_of,
    polynomial,
    power_of_two,
    with_sign,
)
from oakum.compile.elementary.logarithms import log1p_of_sum
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_value import Value

_SINH: Final = {
    dtypes.float32: (0.1666666716337204, 0.008333289064466953, 0.00019905201043002307),
    dtypes.float64: (
        0.16666666666666677,
        0.00833333333332144,
        0.0001984126988666363,
        2.7557243617847353e-06,
        2.5109259088374617e-08,
    ),
}
"""(sinh(r) / r - 1) / r**2, of the square of r."""

_COSH: Final = {
    dtypes.float32: (0.041666459292173386, 0.0013935399474576116),
    dtypes.float64: (
        0.04166666666666668,
        0.0013888888888877052,
        2.4801587342000666e-05,
        2.7557257646977554e-07,
        2.0920068437603735e-09,
    ),
}
"""(cosh(r) - 1 - r**2 / 2) / r**4, of the square of r."""

_INFINITE: Final = {dtypes.float32: 89.7, dtypes.float64: 710.6}
"""Above, both are infinite; a little more and their powers of two would be."""

_FAR: Final = {dtypes.float32: 20.0, dtypes.float64: 40.0}
"""From here on, the exponential of the opposite does not count."""

_BIG: Final = 2.0**60
"""From here on, the square of a number plus or minus one is that square."""


class _Parts:
    """What both functions are made of."""

    def __init__(self, f: Arithmetic, x: Value) -> None:
        size = at_most(f, f.abs(x), _INFINITE[x.dtype])
        self.r, lost, ending = reduced(f, size)
        square = f.mul(self.r, self.r)
        series = polynomial(f, square, _SINH[x.dtype])
        self.bend = f.fma(f.mul(square, self.r), series, lost)
        """The sinh of `r` less `r`."""
        series = polynomial(f, square, _COSH[x.dtype])
        self.rise = f.mul(square, f.fma(square, series, 0.5))
        """The cosh of `r` less one."""
        self.up = power_of_two(f, ending, x.dtype, -2)
        """A fourth of two to the power of `n`."""
        down = power_of_two(f, f.sub(0, ending), x.dtype, -2)
        self.down = f.select(f.compare("lt", size, _FAR[x.dtype]), down, 0.0)
        """A fourth of two to the power of minus `n`."""


def sinh(f: Arithmetic, x: Value) -> Value:
    """Returns the hyperbolic sine."""
    with f.exactly():
        parts = _Parts(f, x)
        total, difference = f.add(parts.up, parts.down), f.sub(parts.up, parts.down)
        rest = f.fma(difference, parts.rise, f.mul(total, parts.bend))
        result = f.add(f.fma(total, parts.r, difference), rest)
        result = with_sign(f, f.add(result, result), x)
        return f.select(f.compare("lt", f.abs(x), format_of(x).epsilon), x, result)


def cosh(f: Arithmetic, x: Value) -> Value:
    """Returns the hyperbolic cosine."""
    with f.exactly():
        parts = _Parts(f, x)
        sine = f.add(parts.r, parts.bend)
        falling = f.add(f.sub(parts.rise, sine), 1.0)
        rest = f.fma(parts.up, f.add(parts.rise, sine), f.mul(parts.down, falling))
        result = f.add(parts.up, rest)
        return f.add(result, result)


def asinh(f: Arithmetic, x: Value) -> Value:
    """Returns the inverse of the hyperbolic sine."""
    with f.exactly():
        size = f.abs(x)
        usual = f.compare("lt", size, _BIG)
        square = f.mul(at_most(f, size, _BIG), size)
        root = f.sqrt(f.add(square, 1.0))
        more = f.select(usual, f.div(square, f.add(root, 1.0)), 0.0)
        above = f.add(size, more)
        lost = f.sub(more, f.sub(above, size))
        return with_sign(f, log1p_of_sum(f, above, lost, f.select(usual, f.like(0.0, x), 1.0)), x)


def acosh(f: Arithmetic, x: Value) -> Value:
    """Returns the inverse of the hyperbolic cosine; NaN below one."""
    with f.exactly():
        usual = f.compare("lt", x, _BIG)
        above = f.sub(x, 1.0)
        factor = f.add(at_most(f, above, _BIG), 2.0)
        square = f.mul(factor, above)
        # The root lacks what the square does, and its own rounding, over twice the root.
        lost = f.fma(factor, above, f.neg(square))
        root = f.sqrt(square)
        lost = f.add(f.fma(f.neg(root), root, square), lost)
        lost = f.select(f.compare("gt", root, 0.0), f.div(f.mul(lost, 0.5), root), 0.0)
        root, lost = (f.select(usual, each, 0.0) for each in (root, lost))
        whole = f.add(root, above)
        lost = f.add(f.sub(above, f.sub(whole, root)), lost)
        result = log1p_of_sum(f, whole, lost, f.select(usual, f.like(0.0, x), 1.0))
        return f.select(f.compare("ge", x, 1.0), result, float("nan"))


def atanh(f: Arithmetic, x: Value) -> Value:
    """Returns the inverse of the hyperbolic tangent; infinite at one, NaN beyond."""
    with f.exactly():
        size = f.abs(x)
        twice = f.add(size, size)
        bottom = f.sub(1.0, size)
        less = f.sub(f.sub(1.0, bottom), size)
        inverse = f.div(1.0, bottom)
        ratio = f.mul(twice, inverse)
        minus = f.neg(ratio)
        lost = f.mul(f.fma(minus, less, f.fma(minus, bottom, twice)), inverse)
        return with_sign(f, f.mul(log1p_of_sum(f, ratio, lost), 0.5), x)
