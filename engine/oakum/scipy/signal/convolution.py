"""Convolution and correlation of signals of any number of axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.abstract.convolution import signals
from oakum.array import Array
from oakum.numpy import arguments
from oakum.typing import ArrayLike, PrecisionLike
from oakum.values.declarations import public

_MODES: Final = ("same", "full", "valid")


def _check_mode(mode: str) -> None:
    if mode not in _MODES:
        raise ValueError(f"mode must be one of {[*_MODES]}")


def _check_2d(
    function: str, in1: ArrayLike, in2: ArrayLike, boundary: str, fillvalue: float
) -> None:
    """Raises for what the functions of matrices do not do."""
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError(f"{function}() only supports boundary='fill', fillvalue=0")
    if arguments.rank_of(in1) != 2 or arguments.rank_of(in2) != 2:
        raise errors.ShapeError(f"{function}() only supports 2-dimensional inputs.")


def _ordered(in1: Array, in2: Array, message: str) -> bool:
    """Returns whether the first signal is the smaller one along all axes; raises where none is."""
    pairs = list(zip(in1.shape, in2.shape, strict=True))
    if all(a >= b for a, b in pairs):
        return False
    if not all(a <= b for a, b in pairs):
        raise errors.ShapeError(message)
    return True


def _direct(in1: Array, in2: Array, mode: str, precision: Any) -> Any:
    """Returns the convolution of two signals, of which one is smaller along all axes."""
    _check_mode(mode)
    in1, in2 = arguments.arrays("convolve", in1, in2)
    if in1.ndim != in2.ndim:
        raise errors.ShapeError("in1 and in2 must have the same number of dimensions")
    if not in1.size or not in2.size:
        raise errors.ShapeError(
            f"zero-size arrays not supported in convolutions, got shapes {in1.shape} and "
            f"{in2.shape}."
        )
    in1, in2 = arguments.promote_inexact(in1, in2)
    second = in2.shape
    if _ordered(in1, in2, "One input must be smaller than the other in every dimension."):
        in1, in2 = in2, in1
    pads = {
        "valid": [(0, 0) for _ in in2.shape],
        "full": [(size - 1, size - 1) for size in in2.shape],
        "same": [
            (size - 1 - (other - 1) // 2, size - other + (other - 1) // 2)
            for size, other in zip(in2.shape, second, strict=True)
        ],
    }
    strides = (1,) * in1.ndim
    kernel = jnp.flip(in2)[None, None]
    result = lax.conv_general_dilated(
        in1[None, None], kernel, strides, pads[mode], precision=precision
    )
    return result[0, 0]


def _by_fourier(in1: Any, in2: Any, mode: str, axes: int | Sequence[int] | None) -> Any:
    """Returns the convolution of two signals along axes, by Fourier transforms."""
    arguments.check_arrays("fftconvolve", in1, in2)
    in1, in2 = arguments.promote_inexact(in1, in2)
    if in1.ndim != in2.ndim:
        raise errors.ShapeError("in1 and in2 should have the same dimensionality")
    _check_mode(mode)
    rank = in1.ndim
    given = (axes,) if isinstance(axes, int) else axes
    places = arguments.axes(None if given is None else tuple(given), rank)
    if any(in1.shape[i] != in2.shape[i] for i in range(rank) if i not in places):
        raise errors.ShapeError(
            f"mapped axes must have same shape; got in1.shape={in1.shape} in2.shape={in2.shape} "
            f"axes={axes}"
        )
    if mode == "valid":
        message = (
            "For 'valid' mode, One input must be at least as large as the other in every dimension."
        )
        if _ordered(in1, in2, message):
            in1, in2 = in2, in1
    sizes = [in1.shape[i] + in2.shape[i] - 1 for i in places]
    result = _product_of_transforms(in1, in2, sizes, places)
    wanted = {
        "full": sizes,
        "same": [in1.shape[i] for i in places],
        "valid": [in1.shape[i] - in2.shape[i] + 1 for i in places],
    }[mode]
    for at, size, whole in zip(places, wanted, sizes, strict=True):
        start = (whole - size) // 2
        result = lax.slice_in_dim(result, start, start + size, axis=at)
    return result


def _product_of_transforms(in1: Any, in2: Any, sizes: Sequence[int], places: Any) -> Any:
    if not places or all(in1.shape[i] == 1 or in2.shape[i] == 1 for i in places):
        return in1 * in2
    is_complex = arguments.is_complex(in1)
    forward, backward = (
        (jnp.fft.fftn, jnp.fft.ifftn) if is_complex else (jnp.fft.rfftn, jnp.fft.irfftn)
    )
    product = forward(in1, sizes, axes=places) * forward(in2, sizes, axes=places)
    return backward(product, sizes, axes=places)


@public("scipy.signal.convolve", signals, static=("mode", "method"))
def convolve(
    in1: Array,
    in2: Array,
    mode: Any = "full",
    method: str = "auto",
    precision: PrecisionLike = None,
) -> Array:
    """Convolves two arrays."""
    if method == "fft":
        return _by_fourier(in1, in2, mode, None)
    if method not in ("direct", "auto"):
        raise ValueError(f"Got method={method!r}; expected 'auto', 'fft', or 'direct'.")
    return _direct(in1, in2, mode, precision)


@public("scipy.signal.convolve2d", results.array, static=("mode", "boundary", "fillvalue"))
def convolve2d(
    in1: Array,
    in2: Array,
    mode: Any = "full",
    boundary: str = "fill",
    fillvalue: float = 0,
    precision: PrecisionLike = None,
) -> Array:
    """Convolves two matrices."""
    _check_2d("convolve2d", in1, in2, boundary, fillvalue)
    return _direct(in1, in2, mode, precision)


@public("scipy.signal.correlate", signals, static=("mode", "method"))
def correlate(
    in1: Array,
    in2: Array,
    mode: Any = "full",
    method: str = "auto",
    precision: PrecisionLike = None,
) -> Array:
    """Correlates two arrays."""
    return convolve(in1, jnp.flip(jnp.conj(in2)), mode, method, precision)


@public("scipy.signal.correlate2d", results.array, static=("mode", "boundary", "fillvalue"))
def correlate2d(
    in1: Array,
    in2: Array,
    mode: Any = "full",
    boundary: str = "fill",
    fillvalue: float = 0,
    precision: PrecisionLike = None,
) -> Array:
    """Correlates two matrices."""
    _check_2d("correlate2d", in1, in2, boundary, fillvalue)
    in1, in2 = arguments.arrays("correlate2d", in1, in2)
    second_is_larger = all(a <= b for a, b in zip(in1.shape, in2.shape, strict=True))
    swap = second_is_larger and mode != "same"
    if mode == "valid" and in1.shape == in2.shape:
        swap = False
    if not swap:
        return jnp.flip(_direct(jnp.flip(in1), jnp.conj(in2), mode, precision))
    result = _direct(jnp.flip(in2), jnp.conj(in1), mode, precision)
    return jnp.conj(result) if mode == "full" else result


@public("scipy.signal.fftconvolve", signals, static=("mode", "axes"))
def fftconvolve(
    in1: ArrayLike, in2: ArrayLike, mode: Any = "full", axes: int | Sequence[int] | None = None
) -> Array:
    """Convolves two arrays by Fourier transforms."""
    return _by_fourier(in1, in2, mode, axes)
