"""Products with logarithms, whose derivatives are taken as the limits where the product is zero."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.api import custom_elementwise
from oakum.array import Array
from oakum.scipy.special import numbers
from oakum.typing import ArrayLike


def _product(x: ArrayLike, y: ArrayLike, logarithm: Callable[[Any], Any]) -> Any:
    """Returns a product that is zero where `x` is."""
    product = jnp.multiply(x, logarithm(y))
    return jnp.where((x != 0.0) | jnp.isnan(y), product, jnp.zeros_like(product))


@functools.cache
def xlogy() -> Any:
    """Returns the function `x * log(y)`."""
    return custom_elementwise.of_two(
        lambda x, y: _product(x, y, lax.log),
        lambda g, out, x, y: g * lax.log(y),
        lambda g, out, x, y: g * x / y,
    )


@functools.cache
def xlog1py() -> Any:
    """Returns the function `x * log(1 + y)`."""
    return custom_elementwise.of_two(
        lambda x, y: _product(x, y, lax.log1p),
        lambda g, out, x, y: g * lax.log1p(y),
        lambda g, out, x, y: g * x / (1 + y),
    )


@functools.cache
def xlogx() -> Any:
    """Returns the function `x * log(x)`."""
    return custom_elementwise.of_one(
        lambda x: _product(x, x, lax.log), lambda g, out, x: g * (lax.log(x) + 1)
    )


@functools.cache
def logit() -> Any:
    """Returns the function `log(x / (1 - x))`."""
    return custom_elementwise.of_one(
        lambda x: lax.log(lax.div(x, lax.sub(lax.full_like(x, 1), x))),
        lambda g, out, x: g / (x * (1 - x)),
    )


@functools.cache
def poch(gamma: Callable[[Any], Any]) -> Any:
    """Returns the function `gamma(z + m) / gamma(z)`, by the gamma function."""

    def function(z: Array, m: Array) -> Any:
        quotient = numbers.gamma_ratio(gamma, z, m)
        return jnp.where(m == 0.0, jnp.ones_like(quotient), quotient)

    return custom_elementwise.of_two(
        function,
        lambda g, out, z, m: g * out * numbers.digamma_difference(z, m),
        lambda g, out, z, m: g * out * lax.digamma(z + m),
    )


def rel_entr(p: Array, q: Array) -> Any:
    """Returns the function `p * log(p / q)`, infinite where it is not defined."""
    both = (p > 0) & (q > 0)
    safe_p, safe_q = jnp.where(both, p, 1), jnp.where(both, q, 1)
    inside = xlogx()(safe_p) - xlogy()(safe_p, safe_q)
    return jnp.where(both, inside, jnp.where((p == 0) & (q >= 0), 0.0, math.inf))
