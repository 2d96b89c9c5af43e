"""Polynomials, as arrays of coefficients from the highest power down."""

from __future__ import annotations

from oakum.abstract import results
from oakum.abstract.elementwise import polynomial
from oakum.array import Array
from oakum.numpy import arguments, coefficients, elementwise, fitting
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("numpy.poly", results.array)
def poly(seq_of_zeros: ArrayLike) -> Array:
    """Gives the coefficients of a polynomial with given roots."""
    return coefficients.from_roots(seq_of_zeros)


@public("numpy.polyadd", results.array)
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Adds polynomials."""
    return coefficients.add(*arguments.promote(*arguments.arrays("polyadd", a1, a2)))


@public("numpy.polysub", results.array)
def polysub(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Subtracts polynomials."""
    a1, a2 = arguments.promote(*arguments.arrays("polysub", a1, a2))
    return coefficients.add(a1, elementwise.negative(a2))


@public(
    "numpy.polymul",
    results.array,
    static=("trim_leading_zeros",),
    dynamic_size=results.given("trim_leading_zeros", True),
    size_parameter="trim_leading_zeros",
    size_operands=("a1", "a2"),
)
def polymul(a1: ArrayLike, a2: ArrayLike, *, trim_leading_zeros: bool = False) -> Array:
    """Multiplies polynomials."""
    return coefficients.multiply(a1, a2, trim_leading_zeros)


@public(
    "numpy.polydiv",
    results.arrays(2),
    static=("trim_leading_zeros",),
    dynamic_size=results.given("trim_leading_zeros", True),
    size_parameter="trim_leading_zeros",
    size_operands=("u", "v"),
)
def polydiv(u: ArrayLike, v: ArrayLike, *, trim_leading_zeros: bool = False) -> tuple[Array, Array]:
    """Divides polynomials."""
    return coefficients.divide(u, v, trim_leading_zeros)


@public("numpy.polyder", results.array, static=("m",))
def polyder(p: ArrayLike, m: int = 1) -> Array:
    """Differentiates a polynomial."""
    return coefficients.derivative(p, m)


@public("numpy.polyint", results.array, static=("m",))
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> Array:
    """Integrates a polynomial."""
    return coefficients.integral(p, m, k)


@public("numpy.polyval", polynomial, static=("unroll",))
def polyval(p: ArrayLike, x: ArrayLike, *, unroll: int = 16) -> Array:
    """Evaluates a polynomial at given points."""
    return coefficients.evaluate(p, x, unroll)


@public("numpy.polyfit", static=("deg", "rcond", "full", "cov"))
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: bool = False,
) -> Array | tuple[Array, ...]:
    """Fits a polynomial to points by least squares."""
    return fitting.polyfit(x, y, deg, rcond=rcond, full=full, weights=w, covariance=cov)


@public(
    "numpy.roots",
    results.array,
    static=("strip_zeros",),
    dynamic_size=results.given("strip_zeros", True),
    size_parameter="strip_zeros",
    size_operands=("p",),
)
def roots(p: ArrayLike, *, strip_zeros: bool = True) -> Array:
    """Computes the roots of a polynomial."""
    return coefficients.roots(p, strip_zeros)
