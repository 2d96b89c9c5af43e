"""Images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import results
from oakum.scipy.transforms import interpolation
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.ndimage.map_coordinates", results.array, static=("order", "mode", "cval"))
def map_coordinates(
    input: ArrayLike,
    coordinates: Sequence[ArrayLike],
    order: int,
    mode: str = "constant",
    cval: ArrayLike = 0.0,
) -> Any:
    """Interpolates an image at given coordinates."""
    return interpolation.map_coordinates(input, coordinates, order, mode, cval)
