"""Integration of samples."""

from __future__ import annotations

from oakum import numpy as jnp
from oakum.abstract import reduction
from oakum.array import Array
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.integrate.trapezoid", reduction.integrated, static=("axis",))
def trapezoid(
    y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1
) -> Array:
    """Integrates with the trapezoidal rule."""
    return jnp.trapezoid(y, x, dx, axis)
