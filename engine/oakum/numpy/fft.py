"""Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence

from oakum.abstract import fourier, reshaping
from oakum.array import Array
from oakum.numpy import fourier_transforms, statics
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values.declarations import public


@public("numpy.fft.fft", fourier.along(), static=("axis", "norm"), sizes=("n",))
def fft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes Fourier transforms along an axis."""
    return fourier_transforms.along("fft", a, n, axis, norm)


@public("numpy.fft.ifft", fourier.along(), static=("axis", "norm"), sizes=("n",))
def ifft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes inverse Fourier transforms along an axis."""
    return fourier_transforms.along("ifft", a, n, axis, norm)


@public("numpy.fft.rfft", fourier.along(half=True), static=("axis", "norm"), sizes=("n",))
def rfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes Fourier transforms of real data along an axis."""
    return fourier_transforms.along("rfft", a, n, axis, norm)


@public("numpy.fft.irfft", fourier.inverse_along, static=("axis", "norm"), sizes=("n",))
def irfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes real data from their Fourier transforms along an axis."""
    return fourier_transforms.along("irfft", a, n, axis, norm)


@public("numpy.fft.hfft", fourier.inverse_along, static=("axis", "norm"), sizes=("n",))
def hfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes Fourier transforms of Hermitian data along an axis."""
    return fourier_transforms.hermitian(a, n, axis, norm)


@public("numpy.fft.ihfft", fourier.along(half=True), static=("axis", "norm"), sizes=("n",))
def ihfft(a: ArrayLike, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Computes inverse Fourier transforms to Hermitian data along an axis."""
    return fourier_transforms.inverse_hermitian(a, n, axis, norm)


@public("numpy.fft.fft2", fourier.over(), static=("axes", "norm"), shapes=("s",))
def fft2(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """Computes Fourier transforms over two axes."""
    return fourier_transforms.over_two("fft2", a, s, axes, norm)


@public("numpy.fft.ifft2", fourier.over(), static=("axes", "norm"), shapes=("s",))
def ifft2(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """Computes inverse Fourier transforms over two axes."""
    return fourier_transforms.over_two("ifft2", a, s, axes, norm)


@public("numpy.fft.rfft2", fourier.real_over, static=("axes", "norm"), shapes=("s",))
def rfft2(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """Computes Fourier transforms of real data over two axes."""
    return fourier_transforms.over_two("rfft2", a, s, axes, norm)


@public("numpy.fft.irfft2", fourier.real_over, static=("axes", "norm"), shapes=("s",))
def irfft2(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None
) -> Array:
    """Computes real data from their Fourier transforms over two axes."""
    return fourier_transforms.over_two("irfft2", a, s, axes, norm)


@public("numpy.fft.fftn", fourier.over(), static=("axes", "norm"), shapes=("s",))
def fftn(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Computes Fourier transforms over several axes."""
    return fourier_transforms.over("fftn", a, s, axes, norm)


@public("numpy.fft.ifftn", fourier.over(), static=("axes", "norm"), shapes=("s",))
def ifftn(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Computes inverse Fourier transforms over several axes."""
    return fourier_transforms.over("ifftn", a, s, axes, norm)


@public("numpy.fft.rfftn", fourier.real_over, static=("axes", "norm"), shapes=("s",))
def rfftn(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Computes Fourier transforms of real data over several axes."""
    return fourier_transforms.over("rfftn", a, s, axes, norm)


@public("numpy.fft.irfftn", fourier.real_over, static=("axes", "norm"), shapes=("s",))
def irfftn(
    a: ArrayLike, s: Shape | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Computes real data from their Fourier transforms over several axes."""
    return fourier_transforms.over("irfftn", a, s, axes, norm)


@public("numpy.fft.fftfreq", fourier.frequencies(), sizes=("n",))
def fftfreq(
    n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: Placement | None = None
) -> Array:
    """Gives the frequencies of a Fourier transform."""
    result = fourier_transforms.frequencies("fftfreq", n, d, dtype)
    return statics.placed(result, "fft.fftfreq", device)


@public("numpy.fft.rfftfreq", fourier.frequencies(half=True), sizes=("n",))
def rfftfreq(
    n: int, d: ArrayLike = 1.0, *, dtype: DTypeLike | None = None, device: Placement | None = None
) -> Array:
    """Gives the frequencies of a Fourier transform of real data."""
    result = fourier_transforms.frequencies("rfftfreq", n, d, dtype)
    return statics.placed(result, "fft.rfftfreq", device)


@public("numpy.fft.fftshift", reshaping.keeps_along, static=("axes",))
def fftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """Moves the zero frequency to the middle."""
    return fourier_transforms.shift("fftshift", x, axes, 1)


@public("numpy.fft.ifftshift", reshaping.keeps_along, static=("axes",))
def ifftshift(x: ArrayLike, axes: int | Sequence[int] | None = None) -> Array:
    """Moves the zero frequency back to the start."""
    return fourier_transforms.shift("ifftshift", x, axes, -1)
