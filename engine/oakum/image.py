"""Resizing of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import results
from oakum.facts import public
from oakum.typing import PrecisionLike, Shape


@public("image.resize", results.array, static=("method", "antialias"), shapes=("shape",))
def resize(
    image: Any, shape: Shape, method: Any, antialias: bool = True, precision: PrecisionLike = 2
) -> Any:
    """Resizes an image by interpolation."""
    ...


@public(
    "image.scale_and_translate",
    results.array,
    static=("spatial_dims", "method", "antialias"),
    shapes=("shape",),
)
def scale_and_translate(
    image: Any,
    shape: Shape,
    spatial_dims: Sequence[int],
    scale: Any,
    translation: Any,
    method: Any,
    antialias: bool = True,
    precision: PrecisionLike = 2,
) -> Any:
    """Scales and shifts an image by interpolation."""
    ...
