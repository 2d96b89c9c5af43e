"""The distribution function of the normal distribution, its logarithm, its inverse, Owen's T."""

from __future__ import annotations

import functools
import math
from typing import Any, Final

from oakum import config, dtypes, errors, lax
from oakum import numpy as jnp
from oakum.api import custom_elementwise
from oakum.array import Array
from oakum.numpy import arguments
from oakum.primitives.rules.arguments import number_like
from oakum.typing import ArrayLike
from oakum.values import host

_LOG_ROOT_TWO_PI: Final = 0.5 * math.log(2 * math.pi)


def floats(function: str, x: ArrayLike) -> Any:
    """Returns an operand of 32 or 64 bits; TypeError for any other."""
    x = jnp.asarray(x)
    if arguments.dtype_of(x) not in (dtypes.float32, dtypes.float64):
        raise errors.DTypeError(
            f"x.dtype={x.dtype} is not supported by {function}",
            hint="Convert the operand to float32 or float64.",
        )
    return x


def ndtr(x: ArrayLike) -> Any:
    """Returns the normal distribution function, by whichever of erf and erfc does not cancel."""
    half = number_like(x, math.sqrt(0.5))
    w = x * half
    size = lax.abs(w)
    far = lax.erfc(size)
    tail = lax.select(w > 0, 2.0 - far, far)
    return 0.5 * lax.select(size < half, 1.0 + lax.erf(w), tail)


def log_pdf(x: ArrayLike) -> Any:
    """Returns the logarithm of the normal density."""
    return -0.5 * lax.square(x) - _LOG_ROOT_TWO_PI


def log_ndtr(x: ArrayLike, series_order: object) -> Any:
    """Returns the logarithm of the normal distribution function."""
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if not 0 <= series_order <= 30:
        reason = "non-negative" if series_order < 0 else "<= 30"
        raise ValueError(f"series_order must be {reason}.")
    return _log_ndtr(series_order)(floats("log_ndtr", x))


@functools.lru_cache(maxsize=64)
def _log_ndtr(series_order: int) -> Any:
    def function(x: Array) -> Any:
        is_wide = arguments.dtype_of(x) is dtypes.float64
        lower, upper = (-20.0, 8.0) if is_wide else (-10.0, 5.0)
        above = x > upper
        inside = ndtr(jnp.where(above, -x, jnp.maximum(x, lower)))
        far = _log_tail(jnp.minimum(x, lower), series_order)
        return jnp.where(above, -inside, jnp.where(x > lower, lax.log(inside), far))

    return custom_elementwise.of_one(function, lambda g, out, x: g * lax.exp(log_pdf(x) - out))


def _log_tail(x: Array, order: int) -> Any:
    """Returns the logarithm far on the left, by an asymptotic series."""
    square = lax.square(x)
    total, term = jnp.ones_like(x), jnp.ones_like(x)
    for n in range(1, order + 1):
        term = term * -(2 * n - 1) / square
        total = total + term
    return -0.5 * square - lax.log(-x) - _LOG_ROOT_TWO_PI + lax.log(total)


def ndtri(p: Array) -> Any:
    """Returns the inverse of the normal distribution function."""
    middle = lax.abs(p - 0.5) < 0.375
    centre = number_like(p, math.sqrt(2)) * lax.erf_inv(jnp.where(middle, 2 * p - 1, 0.0))
    is_low = p < 0.5
    tail = jnp.where(middle, 0.25, jnp.where(is_low, p, 1 - p))
    depth = _depth(tail)
    result = jnp.where(middle, centre, jnp.where(is_low, -depth, depth))
    with config.debug_infs(False), config.debug_nans(False):
        result = jnp.where(p == 0, -math.inf, jnp.where(p == 1, math.inf, result))
        return jnp.where((p < 0) | (p > 1), math.nan, result)


_NUMERATORS: Final = (
    (4.05544892305962419923, 31.5251094599893866154, 57.1628192246421288162),
    (44.0805073893200834700, 14.6849561928858024014, 2.18663306850790267539),
    (-0.140256079171354495875, -0.0350424626827848203418, -8.57456785154685413611e-4),
)
_DENOMINATORS: Final = (
    (1.0, 15.7799883256466749731, 45.3907635128879210584),
    (41.3172038254672030440, 15.0425385692907503408, 2.50464946208309415979),
    (-0.142182922854787788574, -0.0380806407691578277194, -9.33259480895457427372e-4),
)
_FAR_NUMERATORS: Final = (
    (3.23774891776946035970, 6.91522889068984211695, 3.93881025292474443415),
    (1.33303460815807542389, 0.201485389549179081538, 0.0123716634817820021358),
    (3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9),
)
_FAR_DENOMINATORS: Final = (
    (1.0, 6.02427039364742014255, 3.67983563856160859403),
    (1.37702099489081330271, 0.216236993594496635890, 0.0134204006088543189037),
    (3.28014464682127739104e-4, 2.89247864745380683936e-6, 6.79019408009981274425e-9),
)
"""The rational approximations of the Cephes library for tails."""


def _polynomial(rows: tuple[tuple[float, ...], ...], x: ArrayLike) -> Any:
    total = jnp.zeros_like(x)
    for each in (number for row in rows for number in row):
        total = total * x + each
    return total


def _depth(p: ArrayLike) -> Any:
    """Returns how far from zero the tail of a probability below one half begins."""
    z = lax.sqrt(-2.0 * lax.log(jnp.where(p == 0, 0.25, p)))
    inverse = 1 / z
    near = _polynomial(_NUMERATORS, inverse) / _polynomial(_DENOMINATORS, inverse)
    far = _polynomial(_FAR_NUMERATORS, inverse) / _polynomial(_FAR_DENOMINATORS, inverse)
    return z - lax.log(z) * inverse - jnp.where(z >= 8, far, near) * inverse


@functools.cache
def _quadrature() -> tuple[Any, Any]:
    """Returns nodes and weights of Gauss's formula on the interval from 0 to 1."""
    nodes, weights = host.np.polynomial.legendre.leggauss(32)
    return (nodes + 1) / 2, weights / 2


def owens_t(h: ArrayLike, a: Array) -> Any:
    """Returns Owen's T function, by quadrature where `a` is at most one."""
    h, size = jnp.abs(h), jnp.abs(a)
    is_large = size > 1
    inverse = 1 / jnp.where(is_large, size, 1.0)
    scaled = h * size
    small_a = _owens_integral(jnp.where(is_large, scaled, h), jnp.where(is_large, inverse, size))
    by_symmetry = 0.5 * (_beyond(h) * ndtr(scaled) + _beyond(scaled) * ndtr(h)) - small_a
    finite = jnp.where(is_large, by_symmetry, small_a)
    result = jnp.where(jnp.isinf(size), 0.5 * _beyond(h), finite)
    return jnp.where(a < 0, -result, result)


def _beyond(x: Array) -> Any:
    return ndtr(-x)


def _owens_integral(h: ArrayLike, a: ArrayLike) -> Any:
    nodes, weights = _quadrature()
    total = jnp.zeros_like(h)
    for node, weight in zip(nodes.tolist(), weights.tolist(), strict=True):
        square = 1 + lax.square(a * node)
        total = total + weight * lax.exp(-0.5 * lax.square(h) * square) / square
    return a * total / (2 * math.pi)
