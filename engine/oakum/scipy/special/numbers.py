"""Functions of counts: gamma and beta functions, binomial coefficients, Bernoulli numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments, coercion
from oakum.tracing.trace import Tracer
from oakum.typing import ArrayLike
from oakum.values import uses


def reals(function: str, *values: ArrayLike) -> list[Any]:
    """Returns the operands of a function of floats; ValueError for complex ones."""
    operands = coercion.promote_inexact(function, *values)
    if arguments.is_complex(operands[0]):
        raise errors.DTypeError(f"{function} does not support complex-valued inputs.")
    return operands


def broadcast_reals(function: str, *values: ArrayLike) -> list[Any]:
    """Returns the operands of a function of floats, of one shape."""
    return arguments.broadcast(*reals(function, *values))


def known_int(function: str, value: Any) -> int:
    """Returns an argument that has to be a known integer."""
    if isinstance(value, Tracer):
        raise uses.error(uses.Use.INT, construct=function, operand=f"`{value.aval}`")
    return operator.index(value)


def gamma_sign(x: Array) -> Any:
    """Returns the sign of the gamma function; NaN at its poles below zero."""
    floor = lax.floor(x)
    below = x < 0
    undefined = (below & (x == floor)) | jnp.isnan(x)
    negative = (below & (jnp.remainder(floor, 2) != 0)) | ((x == 0) & jnp.signbit(x))
    return jnp.where(undefined, math.nan, jnp.where(negative, -1.0, jnp.ones_like(x)))


def betaln(a: ArrayLike, b: ArrayLike) -> Any:
    """Returns the logarithm of the absolute value of the beta function."""
    a, b = jnp.minimum(a, b), jnp.maximum(a, b)
    direct = lax.lgamma(a) + (lax.lgamma(b) - lax.lgamma(a + b))
    large = b >= 8
    safe_b = jnp.where(large, b, 8.0)
    return jnp.where(large, lax.lgamma(a) - _log_gamma_ratio(safe_b, a), direct)


def _log_gamma_ratio(z: Array, step: Array) -> Any:
    """Returns `log(gamma(z + step) / gamma(z))` where both arguments are 8 or more.

    The logarithms of large gammas would cancel; so Stirling's formula is subtracted from them.
    """
    power = (z - 0.5) * lax.log1p(step / z) + step * (lax.log(step + z) - 1)
    return power + (_stirling_rest(step + z) - _stirling_rest(z))


def gamma_ratio(gamma: Callable[[Any], Any], z: Array, step: Array) -> Any:
    """Returns `gamma(z + step) / gamma(z)`, also where the gamma function overflows."""
    end = z + step
    above, below = gamma(end), gamma(z)
    overflows = (jnp.isinf(above) | jnp.isinf(below)) & (z > 0) & (end > 0)
    large = (z >= 8) & (end >= 8)
    safe_z, safe_step = jnp.where(large, z, 8.0), jnp.where(large, step, 0.0)
    # Of two gammas one of which is below 5040 the logarithms do not cancel.
    logarithm = jnp.where(
        large, _log_gamma_ratio(safe_z, safe_step), lax.lgamma(end) - lax.lgamma(z)
    )
    return jnp.where(overflows, lax.exp(logarithm), above / below)


def digamma_difference(z: Array, step: Array) -> Any:
    """Returns `digamma(z + step) - digamma(z)`, whose digits cancel where both are large: there by
    the asymptotic series of both, term by term.
    """
    end = z + step
    large = (z >= _LARGE) & (end >= _LARGE)
    start, stop = jnp.where(large, z, 1.0), jnp.where(large, end, 1.0)
    a, b, part = 1 / start, 1 / stop, jnp.where(large, step, 0.0)
    squares, difference = a * a + b * b, part * a * b
    second = difference * (a + b)
    fourth = second * squares
    product = (a * b) ** 2
    sixth = second * (squares * squares - product)
    eighth = fourth * (squares * squares - 2 * product)
    series = difference / 2 + second / 12 - fourth / 120 + sixth / 252 - eighth / 240
    return jnp.where(large, lax.log1p(part * a) + series, lax.digamma(end) - lax.digamma(z))


_LARGE = 32.0
"""From here on the series has the digits of float64."""


def _stirling_rest(x: Array) -> Any:
    """Returns what Stirling's formula leaves of the logarithm of the gamma function of 8 and
    more.
    """
    inverse = 1 / (x * x)
    total = jnp.zeros_like(x)
    for each in (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12):
        total = total * inverse + each
    return total / x


def box_cox(logarithm: object, power: object) -> Any:
    """Returns the Box-Cox transformation of the number with this logarithm."""
    is_zero = power == 0
    safe = jnp.where(is_zero, jnp.ones_like(power), power)
    return jnp.where(is_zero, logarithm, jnp.expm1(safe * logarithm) / safe)


def comb(n: Array, k: Array) -> Any:
    """Returns binomial coefficients; zero where nothing can be chosen."""
    possible = (k <= n) & (n >= 0) & (k >= 0)
    n, k = jnp.where(possible, n, 0.0), jnp.where(possible, k, 0.0)
    result = lax.exp(lax.lgamma(n + 1) - lax.lgamma(k + 1) - lax.lgamma(n + 1 - k))
    return jnp.where(possible, result, 0.0)


def multigammaln(a: Any, d: object) -> Any:
    """Returns the logarithm of the gamma function of matrices of `d` rows."""
    rows = known_int("multigammaln", d)
    (a,) = coercion.promote_inexact("multigammaln", a)
    constant = coercion.like(a, 0.25 * rows * (rows - 1) * math.log(math.pi))
    steps = jnp.arange(rows, dtype=a.dtype) / 2
    steps = jnp.expand_dims(steps, axis=tuple(range(arguments.rank_of(a))))
    return jnp.sum(lax.lgamma(jnp.expand_dims(a, -1) - steps), axis=-1) + constant


def polygamma(n: ArrayLike, x: ArrayLike) -> Any:
    """Returns derivatives of the digamma function."""
    if not arguments.is_kind(n, Kind.INT, Kind.UINT):
        raise errors.DTypeError(
            f"Argument `n` to polygamma must be of integer type. Got dtype {arguments.dtype_of(n)}."
        )
    return lax.polygamma(*reals("polygamma", n, x))


def bernoulli(n: Any) -> Any:
    """Returns the Bernoulli numbers up to one, the second of which is -1/2."""
    last = known_int("bernoulli", n)
    if last < 0:
        raise ValueError("n must be a non-negative integer.")
    numbers = [Fraction(1)]
    for m in range(1, last + 1):
        total = sum((math.comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0))
        numbers.append(-total / (m + 1))
    return jnp.array([float(each) for each in numbers])
