"""Discrete cosine transforms of type 2, by Fourier transforms of the reordered elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.primitives.rules.arguments import integer
from oakum.typing import ArrayLike
from oakum.values.declarations import public

Transform = Callable[[Any, int, str | None], Any]


def _check(function: str, x: ArrayLike, kind: int, norm: str | None) -> Any:
    (x,) = arguments.arrays(function, x)
    if kind != 2:
        raise NotImplementedError("Only DCT type 2 is implemented.")
    if norm not in (None, "backward", "ortho"):
        raise ValueError(f"jax.scipy.fft.{function}: norm={norm!r} is not implemented")
    return arguments.promote_inexact(x)[0]


def _by_parts(transform: Transform, x: ArrayLike, axis: int, norm: str | None) -> Any:
    """Returns a transform that is linear over real numbers, of complex ones too."""
    if not arguments.is_complex(x):
        return transform(x, axis, norm)
    parts = [transform(part, axis, norm) for part in (lax.real(x), lax.imag(x))]
    return lax.complex(*parts)


def _resized(x: Array, axis: int, size: Any) -> Any:
    """Returns an array with an axis cut or filled with zeros."""
    if size is None:
        return x
    widths = [(0, 0, 0)] * x.ndim
    widths[axis] = (0, integer(size) - x.shape[axis], 0)
    return lax.pad(x, lax.full((), 0, x.dtype), widths)


def _along(values: ArrayLike, axis: int, rank: int) -> Any:
    return lax.expand_dims(values, [each for each in range(rank) if each != axis])


def _turns(size: int, axis: int, x: Array) -> Any:
    """Returns phases of quarters of the frequencies."""
    angles = jnp.arange(size, dtype=x.dtype) * (-0.5 * math.pi / size)
    return _along(lax.complex(jnp.cos(angles), jnp.sin(angles)), axis, x.ndim)


def _norms(size: int, axis: int, x: Array) -> Any:
    """Returns what makes the transform orthogonal."""
    squares = jnp.full((size,), 2.0 * size, x.dtype).at[0].mul(2)
    return _along(jnp.sqrt(squares), axis, x.ndim)


def _forward(x: Array, axis: int, norm: str | None) -> Any:
    size = x.shape[axis]
    even = lax.slice_in_dim(x, 0, None, 2, axis)
    odd = lax.rev(lax.slice_in_dim(x, 1, None, 2, axis), (axis,))
    waves = jnp.fft.fft(lax.concatenate([even, odd], axis), axis=axis)
    result = 2 * lax.real(waves * _turns(size, axis, x))
    return result / _norms(size, axis, x) if norm == "ortho" else result


def _backward(x: Array, axis: int, norm: str | None) -> Any:
    size = x.shape[axis]
    scale = _norms(size, axis, x)
    x = x / scale if norm == "ortho" else x / (scale * scale)
    waves = lax.complex(x, jnp.zeros_like(x)) / _turns(size, axis, x) * (2 * size)
    mixed = lax.real(jnp.fft.ifft(waves, axis=axis))
    half = -(-size // 2)
    even = lax.slice_in_dim(mixed, 0, half, 1, axis)
    odd = lax.rev(lax.slice_in_dim(mixed, half, None, 1, axis), (axis,))
    order = [0] * size
    order[0::2], order[1::2] = range(half), range(half, size)
    return jnp.take(lax.concatenate([even, odd], axis), jnp.array(order), axis)


def _along_axis(
    function: str,
    transform: Transform,
    x: ArrayLike,
    kind: int,
    size: object,
    axis: int,
    norm: str | None,
) -> Any:
    checked = _check(function, x, kind, norm)
    at = arguments.axis(axis, checked.ndim)
    return _by_parts(transform, _resized(checked, at, size), at, norm)


def _over_axes(transform: Transform, x: Any, s: Any, axes: Any, norm: str | None) -> Any:
    sizes: list[Any] | None = None
    if s is not None:
        sizes = list(cast("Sequence[Any]", s)) if isinstance(s, Sequence) else [s]
    if sizes is not None and len(sizes) > x.ndim:
        raise ValueError(f"s must have at most x.ndim ({x.ndim}) elements, got {len(sizes)}")
    if axes is None:
        places = tuple(range(0 if sizes is None else x.ndim - len(sizes), x.ndim))
    else:
        places = arguments.axes(tuple(axes), x.ndim)
    for at, size in zip(places, sizes or [None] * len(places), strict=False):
        x = _by_parts(transform, _resized(x, at, size), at, norm)
    return x


@public("scipy.fft.dct", results.array, static=("type", "axis", "norm"), sizes=("n",))
def dct(
    x: Array, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
) -> Array:
    """Computes cosine transforms along an axis."""
    return _along_axis("dct", _forward, x, type, n, axis, norm)


@public("scipy.fft.dctn", results.array, static=("type", "axes", "norm"), shapes=("s",))
def dctn(
    x: Array,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Array:
    """Computes cosine transforms over several axes."""
    return _over_axes(_forward, _check("dctn", x, type, norm), s, axes, norm)


@public("scipy.fft.idct", results.array, static=("type", "axis", "norm"), sizes=("n",))
def idct(
    x: Array, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None
) -> Array:
    """Computes inverse cosine transforms along an axis."""
    return _along_axis("idct", _backward, x, type, n, axis, norm)


@public("scipy.fft.idctn", results.array, static=("type", "axes", "norm"), shapes=("s",))
def idctn(
    x: Array,
    type: int = 2,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
) -> Array:
    """Computes inverse cosine transforms over several axes."""
    return _over_axes(_backward, _check("idctn", x, type, norm), s, axes, norm)
