"""Activations with derivatives of their own where the function has corners or cancels."""

from __future__ import annotations

import functools
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.api import custom_elementwise
from oakum.array import Array


def relu(x: Array) -> Any:
    """Returns the elements above zero, else zero; the derivative at zero is zero, also where x is
    NaN.
    """
    return jnp.where(x > 0, x, lax.stop_gradient(jnp.maximum(x, 0)))


def relu6(x: Array) -> Any:
    """Returns the elements limited to 0 to 6; the derivative is zero at both ends."""
    inside = (x > 0) & (x < 6)
    return jnp.where(inside, x, lax.stop_gradient(jnp.minimum(jnp.maximum(x, 0), 6.0)))


@functools.cache
def log1mexp() -> Any:
    """Returns the function `log(1 - exp(-x))`, by whichever formula is exact, with its own
    derivative.
    """

    def function(x: Array) -> Any:
        near, far = jnp.log(-jnp.expm1(-x)), jnp.log1p(-jnp.exp(-x))
        return jnp.where(x < jnp.log(2.0), near, far)

    return custom_elementwise.of_one(function, lambda tangent, out, x: tangent / jnp.expm1(x))
