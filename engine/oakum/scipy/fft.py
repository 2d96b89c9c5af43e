"""Discrete cosine transforms."""

from __future__ import annotations

from collections.abc import Sequence

from oakum.abstract import results
from oakum.array import Array
from oakum.scipy.transforms import cosines
from oakum.values.declarations import public


@public("scipy.fft.dct", results.array, static=("type", "axis", "norm"), sizes=("n",))
def dct(
    x: Array, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
) -> Array:
    """Computes cosine transforms along an axis."""
    return cosines.dct(x, type, n, axis, norm)


@public("scipy.fft.dctn", results.array, static=("type", "axes", "norm"), shapes=("s",))
def dctn(
    x: Array,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Array:
    """Computes cosine transforms over several axes."""
    return cosines.dctn(x, type, s, axes, norm)


@public("scipy.fft.idct", results.array, static=("type", "axis", "norm"), sizes=("n",))
def idct(
    x: Array, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
) -> Array:
    """Computes inverse cosine transforms along an axis."""
    return cosines.idct(x, type, n, axis, norm)


@public("scipy.fft.idctn", results.array, static=("type", "axes", "norm"), shapes=("s",))
def idctn(
    x: Array,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Array:
    """Computes inverse cosine transforms over several axes."""
    return cosines.idctn(x, type, s, axes, norm)
