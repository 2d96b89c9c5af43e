"""Resizing of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import lax
from oakum.abstract import results
from oakum.scipy.transforms import resampling
from oakum.scipy.transforms.resampling import ResizeMethod as ResizeMethod
from oakum.typing import PrecisionLike, Shape
from oakum.values.declarations import public


def _precision(precision: PrecisionLike) -> PrecisionLike:
    """Returns the precision that a number stands for."""
    return lax.Precision(precision) if isinstance(precision, int) else precision


@public("image.resize", results.array, static=("method", "antialias"), shapes=("shape",))
def resize(
    image: object,
    shape: Shape,
    method: object,
    antialias: bool = True,
    precision: PrecisionLike = 2,
) -> Any:
    """Resizes an image by interpolation."""
    return resampling.resize(image, shape, method, antialias, _precision(precision))


@public(
    "image.scale_and_translate",
    results.array,
    static=("spatial_dims", "method", "antialias"),
    shapes=("shape",),
)
def scale_and_translate(
    image: object,
    shape: Shape,
    spatial_dims: Sequence[int],
    scale: object,
    translation: object,
    method: object,
    antialias: bool = True,
    precision: PrecisionLike = 2,
) -> Any:
    """Scales and shifts an image by interpolation."""
    return resampling.move(
        image,
        shape,
        spatial_dims,
        scale,
        translation,
        method,
        antialias,
        _precision(precision),
    )
