"""Fourier transforms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.abstract import fourier, reshaping
from oakum.array import Array
from oakum.lax.options import FftType
from oakum.numpy import arguments, coercion
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values.declarations import public


@public("numpy.fft.fft", fourier.along(), static=("axis", "norm"), sizes=("n",))
def fft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes Fourier transforms along an axis."""
    return _along("fft", a, n, axis, norm)


def _along(function: str, a: object, n: int | None, axis: Any, norm: str | None) -> Any:
    """Returns a transform along one axis."""
    return _over(function, a, None if n is None else [n], None if axis is None else [axis], norm)


def _over(
    function: str, a: Any, s: Sequence[int] | None, axes: Sequence[int] | None, norm: str | None
) -> Any:
    """Returns a transform over axes, of which the last is the real one of a real transform."""
    (a,) = arguments.arrays(f"jax.numpy.fft.{function}", a)
    rank = arguments.rank_of(a)
    kind = _kind(function)
    sizes = None if s is None else [arguments.size(each, f"jnp.fft.{function}()") for each in s]
    if sizes is not None and any(size <= 0 for size in sizes):
        raise ValueError("Shape should be positive.")
    if sizes is not None and axes is not None and len(sizes) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    count = len(axes) if axes is not None else rank if sizes is None else len(sizes)
    last = tuple(range(rank - count, rank))
    if axes is not None:
        if len(set(axes)) != len(axes):
            raise ValueError(
                f"jax.numpy.fft.{function} does not support repeated axes. Got axes {axes}."
            )
        a = jnp.moveaxis(a, tuple(axes), last)
    a, lengths = _fitted(a, sizes, count, kind)
    result = _transformed(a, kind, lengths)
    if norm is not None:
        factor = _factor(norm, lengths, inverse=function.startswith("i"))
        if factor != 1:
            result = lax.mul(result, arguments.convert(factor, arguments.dtype_of(result)))
    return result if axes is None else jnp.moveaxis(result, last, tuple(axes))


def _factor(norm: str, lengths: Sequence[int], *, inverse: bool) -> float:
    """Returns what a transform is multiplied by: the inverse one divides by the number of
    elements.
    """
    total = math.prod(lengths)
    if norm == "backward":
        return 1
    if norm not in ("ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')
    amount = math.sqrt(total) if norm == "ortho" else total
    return amount if inverse else 1 / amount


def _transformed(a: ArrayLike, kind: FftType, lengths: tuple[int, ...]) -> Any:
    """Returns a transform of the last axes: at most three of them at a time."""
    if kind in (FftType.FFT, FftType.IFFT):
        a = arguments.convert(a, coercion.to_complex(arguments.dtype_of(a)))
    if len(lengths) <= 3:
        return lax.fft(a, kind, lengths)
    rank, taken = arguments.rank_of(a), 3
    here = tuple(range(rank - len(lengths), rank - taken))
    there = tuple(range(rank - len(here), rank))
    if kind in (FftType.FFT, FftType.RFFT):
        a = jnp.moveaxis(lax.fft(a, kind, lengths[-taken:]), here, there)
        return jnp.moveaxis(_transformed(a, FftType.FFT, lengths[:-taken]), there, here)
    a = _transformed(jnp.moveaxis(a, here, there), FftType.IFFT, lengths[:-taken])
    return lax.fft(jnp.moveaxis(a, there, here), kind, lengths[-taken:])


def _fitted(
    a: Array, sizes: list[int] | None, count: int, kind: FftType
) -> tuple[Any, tuple[int, ...]]:
    """Returns the array cut or filled up with zeros to the sizes of the transform, and those
    sizes.
    """
    shape = arguments.shape_of(a)
    lead = len(shape) - count
    if sizes is None:
        lengths = list(shape[lead:])
        if kind is FftType.IRFFT and lengths:
            lengths[-1] = max(0, 2 * (lengths[-1] - 1))
        return a, tuple(lengths)
    wanted = [*shape[:lead], *sizes]
    if kind is FftType.IRFFT:
        wanted[-1] = wanted[-1] // 2 + 1
    cut = a[tuple(slice(each) for each in wanted)]
    have = arguments.shape_of(cut)
    if have != tuple(wanted):
        cut = jnp.pad(cut, [(0, want - size) for want, size in zip(wanted, have, strict=True)])
    return cut, tuple(sizes)


def _kind(function: str) -> FftType:
    """Returns the transform that a function of NumPy is made of."""
    names = {"hfft": "IRFFT", "ihfft": "RFFT"}
    return FftType[names.get(function) or function.rstrip("2n").upper()]


@public("numpy.fft.ifft", fourier.along(), static=("axis", "norm"), sizes=("n",))
def ifft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes inverse Fourier transforms along an axis."""
    return _along("ifft", a, n, axis, norm)


@public("numpy.fft.rfft", fourier.along(half=True), static=("axis", "norm"), sizes=("n",))
def rfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes Fourier transforms of real data along an axis."""
    return _along("rfft", a, n, axis, norm)


@public("numpy.fft.irfft", fourier.inverse_along, static=("axis", "norm"), sizes=("n",))
def irfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes real data from their Fourier transforms along an axis."""
    return _along("irfft", a, n, axis, norm)


@public("numpy.fft.hfft", fourier.inverse_along, static=("axis", "norm"), sizes=("n",))
def hfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes Fourier transforms of Hermitian data along an axis."""
    (a,) = arguments.arrays("jax.numpy.fft.hfft", a)
    size = (arguments.shape_of(a)[axis] - 1) * 2 if n is None else n
    return jnp.multiply(_along("hfft", jnp.conj(a), n, axis, norm), size)


@public("numpy.fft.ihfft", fourier.along(half=True), static=("axis", "norm"), sizes=("n",))
def ihfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes inverse Fourier transforms to Hermitian data along an axis."""
    (a,) = arguments.arrays("jax.numpy.fft.ihfft", a)
    size = arguments.shape_of(a)[axis] if n is None else n
    return jnp.multiply(jnp.conj(_along("ihfft", a, n, axis, norm)), 1 / size)


@public("numpy.fft.fft2", fourier.over(), static=("axes", "norm"), shapes=("s",))
def fft2(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """Computes Fourier transforms over two axes."""
    return _over_two("fft2", a, s, axes, norm)


def _over_two(
    function: str, a: object, s: Sequence[int] | None, axes: Sequence[int], norm: str | None
) -> Any:
    """Returns a transform over two axes."""
    if len(axes) != 2:
        raise ValueError(f"jax.numpy.fft.{function} only supports 2 axes. Got axes = {axes!r}.")
    return _over(function, a, s, axes, norm)


@public("numpy.fft.ifft2", fourier.over(), static=("axes", "norm"), shapes=("s",))
def ifft2(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """Computes inverse Fourier transforms over two axes."""
    return _over_two("ifft2", a, s, axes, norm)


@public("numpy.fft.rfft2", fourier.real_over, static=("axes", "norm"), shapes=("s",))
def rfft2(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """Computes Fourier transforms of real data over two axes."""
    return _over_two("rfft2", a, s, axes, norm)


@public("numpy.fft.irfft2", fourier.real_over, static=("axes", "norm"), shapes=("s",))
def irfft2(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """Computes real data from their Fourier transforms over two axes."""
    return _over_two("irfft2", a, s, axes, norm)


@public("numpy.fft.fftn", fourier.over(), static=("axes", "norm"), shapes=("s",))
def fftn(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Computes Fourier transforms over several axes."""
    return _over("fftn", a, s, axes, norm)


@public("numpy.fft.ifftn", fourier.over(), static=("axes", "norm"), shapes=("s",))
def ifftn(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Computes inverse Fourier transforms over several axes."""
    return _over("ifftn", a, s, axes, norm)


@public("numpy.fft.rfftn", fourier.real_over, static=("axes", "norm"), shapes=("s",))
def rfftn(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Computes Fourier transforms of real data over several axes."""
    return _over("rfftn", a, s, axes, norm)


@public("numpy.fft.irfftn", fourier.real_over, static=("axes", "norm"), shapes=("s",))
def irfftn(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Computes real data from their Fourier transforms over several axes."""
    return _over("irfftn", a, s, axes, norm)


@public("numpy.fft.fftfreq", fourier.frequencies(), sizes=("n",))
def fftfreq(
    n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: Placement | None = None
) -> Array:
    """Returns the frequencies of a Fourier transform."""
    result = _frequencies("fftfreq", n, d, dtype)
    return arguments.placed(result, "fft.fftfreq", device)


def _frequencies(function: str, n: Any, d: ArrayLike, dtype: object) -> Any:
    """Returns the frequencies of a transform of `n` points that are `d` apart."""
    count = arguments.size(n, f"n of jnp.fft.{function}()")
    wanted = arguments.requested_dtype(float if dtype is None else dtype)
    inexact = arguments.inexact(wanted)
    if function == "rfftfreq":
        steps = jnp.arange(count // 2 + 1, dtype=wanted)
        return jnp.divide(steps, arguments.convert(jnp.multiply(d, count), wanted))
    half = count // 2
    inexact = dtypes.to_real(inexact) or inexact
    steps = jnp.arange(count, dtype=inexact)
    places = jnp.remainder(jnp.add(steps, half), max(count, 1)) - half
    spacing = arguments.convert(jnp.multiply(d, count), inexact)
    return arguments.convert(jnp.divide(places, spacing), wanted)


@public("numpy.fft.rfftfreq", fourier.frequencies(half=True), sizes=("n",))
def rfftfreq(
    n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: Placement | None = None
) -> Array:
    """Returns the frequencies of a Fourier transform of real data."""
    result = _frequencies("rfftfreq", n, d, dtype)
    return arguments.placed(result, "fft.rfftfreq", device)


@public("numpy.fft.fftshift", reshaping.keeps_along, static=("axes",))
def fftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """Moves the zero frequency to the middle."""
    return _shift("fftshift", x, axes, 1)


def _shift(function: str, x: Any, axes: object, sign: int) -> Any:
    """Returns the array rolled by half its sizes along axes."""
    (x,) = arguments.arrays(function, x)
    shape = arguments.shape_of(x)
    chosen = arguments.axes(axes, len(shape))
    return jnp.roll(x, [sign * (shape[each] // 2) for each in chosen], chosen)


@public("numpy.fft.ifftshift", reshaping.keeps_along, static=("axes",))
def ifftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """Moves the zero frequency back to the start."""
    return _shift("ifftshift", x, axes, -1)
