"""Elementary functions of complex numbers by those of their parts.

What is infinite or no number is treated as C prescribes. Powers of e that would overflow are taken
in up to three factors, because their product with a small sine may not.

Powers with exponents that are no known integers, and the inverses of circular and hyperbolic
functions, are left to the host, whose results for infinite and very small numbers are its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from oakum import dtypes, lax
from oakum.array import Array
from oakum.compile.rewrite.complex.complex_arithmetic import (
    INFINITY,
    and_,
    div,
    has_infinity,
    is_infinite,
    is_nan,
    is_zero,
    mul,
    scales,
    with_sign,
)
from oakum.compile.rewrite.complex.complex_pair import Pair
from oakum.dtypes import DType
from oakum.values.records import dataclass

RULES: Final[dict[str, Callable[..., Any]]] = {}
"""The operations by name, as functions of pairs."""

_Rule = TypeVar("_Rule", bound=Callable[..., Any])


def _rule(function: _Rule) -> _Rule:
    """Adds a function under the name of the operation that it computes."""
    RULES[function.__name__] = function
    return function


_LIMITS: Final[dict[DType | None, tuple[float, float]]] = {
    dtypes.float32: (88.0, 1.6516362549940018e38),
    dtypes.float64: (709.0, 8.218407461554972e307),
}
"""A whole number, and the largest power of e with such an exponent that is finite."""


@dataclass(frozen=True, slots=True)
class _Reduced:
    """A number minus a multiple of the limit: its exponential is that of the rest times the
    factors.
    """

    rest: Any
    factors: tuple[Any, Any]
    large: Any
    """Whether anything was subtracted."""

    def restored(self, size: Array, x: Array) -> Any:
        """Returns the product of a sine or cosine, the function of the rest, and the factors."""
        return lax.mul(lax.mul(lax.mul(x, self.factors[0]), self.factors[1]), size)


def _reduce(x: Array) -> _Reduced:
    limit, whole = _LIMITS[x.aval.dtype]
    zero, one = lax.full_like(x, 0), lax.full_like(x, 1)
    step, factor = lax.full_like(x, limit), lax.full_like(x, whole)
    large, huge = lax.gt(x, limit), lax.gt(x, 2 * limit)
    taken = lax.add(lax.select(large, step, zero), lax.select(huge, step, zero))
    rest = lax.select(is_infinite(x), x, lax.sub(x, taken))
    factors = lax.select(large, factor, one), lax.select(huge, factor, one)
    return _Reduced(rest, factors, large)


@_rule
def exp(x: Pair, **_: object) -> Pair:
    """Returns the exponential."""
    a, b = x.real, x.imag
    reduced = _reduce(a)
    size = lax.exp(reduced.rest)
    cosine, sine = lax.cos(b), lax.sin(b)
    real, imag = (reduced.restored(size, part) for part in (cosine, sine))
    # The angle of an infinite or a vanishing number is not known, but its size is.
    ends = and_(is_infinite(a), is_nan(sine))
    empty = lax.lt(a, 0)
    real = lax.select(ends, lax.select(empty, lax.full_like(a, 0), a), real)
    imag = lax.select(and_(ends, empty), with_sign(0.0, b), imag)
    return Pair(real, lax.select(lax.eq(b, 0), b, imag))


@_rule
def exp2(x: Pair, **_: object) -> Pair:
    """Two to the power of a number."""
    factor = lax.full_like(x.real, 0.6931471805599453)
    return exp(mul(x, Pair(factor, lax.full_like(factor, 0))))


@_rule
def expm1(x: Pair, **_: object) -> Pair:
    """Returns the exponential minus one, near zero too."""
    a, b = x.real, x.imag
    half = lax.sin(lax.mul(b, 0.5))
    real = lax.sub(lax.mul(lax.expm1(a), lax.cos(b)), lax.mul(lax.mul(half, half), 2.0))
    imag = lax.mul(lax.exp(a), lax.sin(b))
    return Pair(real, lax.select(lax.eq(b, 0), b, imag))


@_rule
def log(x: Pair, **_: object) -> Pair:
    """Returns the logarithm: that of the absolute value, and the angle.

    Near an absolute value of one it uses `log1p` of the difference from one.
    """
    a, b = lax.abs(x.real), lax.abs(x.imag)
    large, small = lax.max(a, b), lax.min(a, b)
    limit, factor, logarithm = _FACTORS[x.real.aval.dtype]
    scale, _back = scales(large, limit, factor)
    zero, known = lax.full_like(a, 0), lax.full_like(a, logarithm)
    shift = lax.select(
        lax.gt(scale, 1.0), known, lax.select(lax.lt(scale, 1.0), lax.neg(known), zero)
    )
    first, second = lax.mul(a, scale), lax.mul(b, scale)
    square = lax.add(lax.mul(first, first), lax.mul(second, second))
    near = and_(lax.gt(square, 0.5), lax.lt(square, 3.0), lax.eq(scale, 1.0))
    excess = lax.add(lax.mul(lax.sub(large, 1.0), lax.add(large, 1.0)), lax.mul(small, small))
    close = lax.log1p(lax.select(near, excess, zero))
    far = lax.sub(lax.mul(lax.log(square), 0.5), shift)
    size = lax.select(near, lax.mul(close, 0.5), far)
    size = lax.select(has_infinity(x), lax.full_like(size, INFINITY), size)
    return Pair(size, lax.atan2(x.imag, x.real))


_FACTORS: Final[dict[DType | None, tuple[float, float, float]]] = {
    dtypes.float32: (2.0**60, 2.0**100, 69.31471805599453),
    dtypes.float64: (2.0**500, 2.0**600, 415.88830833596717),
}
"""The magnitude above which squares may overflow, the divisor of such numbers, and its
logarithm.
"""


@_rule
def log1p(x: Pair, **_: object) -> Pair:
    """Returns the logarithm of one plus a number, accurate near zero."""
    a, b = x.real, x.imag
    above = lax.add(a, 1.0)
    near = and_(lax.lt(lax.abs(a), 0.5), lax.lt(lax.abs(b), 0.5))
    excess = lax.add(lax.mul(a, lax.add(a, 2.0)), lax.mul(b, b))
    close = lax.log1p(lax.select(near, excess, lax.full_like(a, 0)))
    far = log(Pair(above, b))
    return Pair(lax.select(near, lax.mul(close, 0.5), far.real), far.imag)


@_rule
def sqrt(x: Pair, **_: object) -> Pair:
    """Returns the root whose real part is not negative."""
    a, b = lax.abs(x.real), lax.abs(x.imag)
    limit, factor = _FACTORS[x.real.aval.dtype][:2]
    scale, _back = scales(lax.max(a, b), limit, factor)
    _scale, back = scales(lax.max(a, b), limit, factor**0.5)
    first, second = lax.mul(a, scale), lax.mul(b, scale)
    size = lax.sqrt(lax.add(lax.mul(first, first), lax.mul(second, second)))
    long = lax.mul(lax.sqrt(lax.mul(lax.add(first, size), 0.5)), back)
    infinity = lax.full_like(long, INFINITY)
    long = lax.select(lax.bitwise_or(is_infinite(a), is_infinite(b)), infinity, long)
    short = lax.div(b, lax.add(long, long))
    short = lax.select(is_zero(x), b, short)
    right = lax.bitwise_not(lax.lt(x.real, 0))
    real = lax.select(right, long, short)
    imag = with_sign_of(lax.select(right, short, long), x.imag)
    wide = is_infinite(b)
    unknown = and_(is_nan(x.real), lax.bitwise_not(wide))
    real = lax.select(wide, infinity, lax.select(unknown, x.real, real))
    return Pair(real, lax.select(wide, x.imag, imag))


def with_sign_of(size: Array, sign: Array) -> Any:
    """Returns a number's magnitude with the sign of another."""
    return with_sign(lax.abs(size), sign)


@_rule
def rsqrt(x: Pair, **_: object) -> Pair:
    """One over the root."""
    return div(_one(x), sqrt(x))


@_rule
def logistic(x: Pair, **_: object) -> Pair:
    """1 / (1 + exp(-x))."""
    one = _one(x)
    found = exp(Pair(lax.neg(x.real), lax.neg(x.imag)))
    return div(one, Pair(lax.add(found.real, one.real), lax.add(found.imag, one.imag)))


def _one(x: Pair) -> Pair:
    return Pair(lax.full_like(x.real, 1), lax.full_like(x.imag, 0))


# Hyperbolic functions, and circular ones, which are these at a right angle.


@dataclass(frozen=True, slots=True)
class _Halves:
    """The hyperbolic sine and cosine of an absolute value, less the factors of `reduced`."""

    sine: Any
    cosine: Any
    reduced: _Reduced


def _halves(size: Array) -> _Halves:
    reduced = _reduce(size)
    less = lax.expm1(reduced.rest)
    whole = lax.add(less, 1.0)
    half = lax.mul(whole, 0.5)
    sine = lax.mul(lax.add(less, lax.div(less, whole)), 0.5)
    sine = lax.select(is_infinite(whole), whole, sine)
    cosine = lax.add(half, lax.div(lax.full_like(whole, 0.5), whole))
    return _Halves(
        lax.select(reduced.large, half, sine), lax.select(reduced.large, half, cosine), reduced
    )


@_rule
def sinh(x: Pair) -> Pair:
    """Returns the hyperbolic sine."""
    a, b = x.real, x.imag
    halves = _halves(lax.abs(a))
    cosine, sine = lax.cos(b), lax.sin(b)
    real = halves.reduced.restored(with_sign(halves.sine, a), cosine)
    imag = halves.reduced.restored(halves.cosine, sine)
    lost = is_nan(sine)
    real = lax.select(and_(lost, lax.eq(a, 0)), a, real)
    real = lax.select(and_(lost, is_infinite(a)), lax.abs(a), real)
    return Pair(real, lax.select(lax.eq(b, 0), b, imag))


@_rule
def cosh(x: Pair) -> Pair:
    """Returns the hyperbolic cosine."""
    a, b = x.real, x.imag
    halves = _halves(lax.abs(a))
    cosine, sine = lax.cos(b), lax.sin(b)
    real = halves.reduced.restored(halves.cosine, cosine)
    imag = halves.reduced.restored(with_sign(halves.sine, a), sine)
    unknown = is_nan(sine)
    real = lax.select(and_(unknown, is_infinite(a)), lax.abs(a), real)
    flat = lax.bitwise_or(lax.eq(b, 0), and_(unknown, lax.eq(a, 0)))
    nothing = lax.mul(with_sign(0.0, a), with_sign(1.0, b))
    return Pair(real, lax.select(flat, nothing, imag))


@_rule
def tanh(x: Pair, **_: object) -> Pair:
    """Returns the hyperbolic tangent."""
    a, b = x.real, x.imag
    limit = _LIMITS[a.aval.dtype][0]
    size = lax.abs(a)
    halves = _halves(lax.select(lax.gt(size, limit), lax.full_like(size, limit), size))
    cosine, sine = lax.cos(b), lax.sin(b)
    turned = lax.mul(sine, cosine)
    below = lax.add(lax.mul(halves.sine, halves.sine), lax.mul(cosine, cosine))
    real = lax.div(lax.mul(halves.sine, halves.cosine), below)
    imag = lax.div(turned, below)
    # Both halves are half of a power of e far from zero, whose square may overflow.
    far = lax.gt(size, 20.0)
    real = lax.select(far, lax.full_like(real, 1), real)
    steep = lax.div(lax.div(turned, halves.cosine), halves.cosine)
    imag = lax.select(far, steep, imag)
    lost = is_nan(sine)
    imag = lax.select(and_(lost, is_infinite(a)), with_sign(0.0, b), imag)
    known = lax.bitwise_or(lax.eq(a, 0), is_infinite(a))
    size = lax.select(is_infinite(a), lax.full_like(a, 1), size)
    real = lax.select(lost, lax.select(known, size, lax.full_like(a, float("nan"))), real)
    return Pair(with_sign_of(real, a), lax.select(lax.eq(b, 0), b, imag))


def _across(function: Callable[[Pair], Pair], x: Pair) -> Pair:
    """Returns -i f(i x) for an odd function f: f of the exchanged parts."""
    found = function(Pair(x.imag, x.real))
    return Pair(found.imag, found.real)


@_rule
def sin(x: Pair, **_: object) -> Pair:
    """Returns the sine."""
    return _across(sinh, x)


@_rule
def tan(x: Pair, **_: object) -> Pair:
    """Returns the tangent."""
    return _across(tanh, x)


@_rule
def cos(x: Pair, **_: object) -> Pair:
    """Returns the cosine."""
    return cosh(Pair(lax.neg(x.imag), x.real))
