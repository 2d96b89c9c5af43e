"""Spectra of signals: Fourier transforms of overlapping segments, and back."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.primitives.rules.arguments import integer
from oakum.scipy.signal import trends, window_functions
from oakum.typing import ArrayLike, DTypeLike
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Cut:
    """The length of segments, how far each begins after the one before, and of transforms."""

    length: int
    step: int
    transformed: int


@dataclass(frozen=True, slots=True)
class Segments:
    """How a signal is cut: the window, the lengths, and what is put at its ends."""

    window: Any
    length: int | None
    overlap: int | None
    transformed: int | None
    boundary: str | None = None
    is_padded: bool = False

    def of(self, size: int) -> Cut:
        """Returns the lengths for a signal of a size."""
        length = min(256 if self.length is None else integer(self.length), size)
        if not isinstance(self.window, (str, tuple)):
            given = arguments.shape_of(jnp.asarray(self.window))
            if len(given) != 1:
                raise ValueError("window must be 1-D")
            if self.length is not None and self.length != given[0]:
                raise ValueError("value specified for nperseg is different from length of window")
            length = given[0]
        if length < 1 <= size:
            raise ValueError("nperseg must be a positive integer")
        overlap = length // 2 if self.overlap is None else integer(self.overlap)
        transformed = length if self.transformed is None else integer(self.transformed)
        if transformed < length:
            raise ValueError("nfft must be greater than or equal to nperseg.")
        if overlap >= length:
            raise ValueError("noverlap must be less than nperseg.")
        return Cut(length, length - overlap, transformed)


@dataclass(frozen=True, slots=True)
class Result:
    """What is asked for: half of the frequencies or all, the scale, the axis, and whether
    amplitudes or powers.
    """

    is_onesided: bool
    scaling: str
    axis: int
    amplitudes: bool = False


def _mirrored_odd(x: Array, count: int) -> Any:
    """Returns a signal continued by its reflection in its end points."""
    if count < 1:
        return x
    if count > x.shape[-1] - 1:
        raise ValueError(
            f"The extension length n ({count}) is too big. It must not exceed x.shape[axis]-1, "
            f"which is {x.shape[-1] - 1}."
        )
    left = 2 * x[..., :1] - jnp.flip(x[..., 1 : count + 1], -1)
    right = 2 * x[..., -1:] - jnp.flip(x[..., -(count + 1) : -1], -1)
    return jnp.concatenate((left, x, right), -1)


def _padded(mode: str) -> Callable[[Any, int], Any]:
    return lambda x, count: jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(count, count)], mode)


_BOUNDARIES: Final[dict[str | None, Callable[[Any, int], Any]]] = {
    None: lambda x, count: x,
    "even": _padded("reflect"),
    "odd": _mirrored_odd,
    "constant": _padded("edge"),
    "zeros": _padded("constant"),
}


def _remover(kind: object) -> Callable[[Any], Any]:
    """Returns the function that removes trends from segments."""
    if isinstance(kind, str):
        return lambda x: trends.remove(x, -1, kind, 0)
    if callable(kind):
        return kind
    if kind:
        raise ValueError(f"Unsupported detrend type: {kind}")
    return lambda x: x


def _prepared(x: Array, segments: Segments, cut: Cut) -> Any:
    """Returns a signal along the last axis, extended as asked for."""
    x = _BOUNDARIES[segments.boundary](x, cut.length // 2)
    if segments.is_padded:
        missing = (-(x.shape[-1] - cut.length) % cut.step) % cut.length
        x = jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, missing)])
    return x


def _transformed(x: Array, weights: Array, remove: Any, cut: Cut, one_sided: bool) -> Any:
    """Returns the transforms of the segments of a signal."""
    starts = host.np.arange(0, x.shape[-1] - cut.length + 1, cut.step)
    places = starts[:, None] + host.np.arange(cut.length)
    parts = remove(jnp.take(x, jnp.asarray(places), axis=-1))
    parts = parts * arguments.broadcast_to(weights, parts.shape)
    if one_sided:
        return jnp.fft.rfft(jnp.real(parts), n=cut.transformed)
    return jnp.fft.fft(parts, n=cut.transformed)


def _scale(weights: Array, fs: object, result: Result) -> Any:
    if result.scaling == "density":
        scale = 1.0 / (fs * jnp.sum(weights * weights))
    elif result.scaling == "spectrum":
        scale = 1.0 / jnp.sum(weights) ** 2
    else:
        raise ValueError(f"Unknown scaling: {result.scaling}")
    return jnp.sqrt(scale) if result.amplitudes else scale


def _same_length(x: Array, y: Array) -> tuple[Any, Any]:
    """Returns two signals along the last axis, the shorter one filled with zeros."""
    size = max(x.shape[-1], y.shape[-1])
    widths = [[(0, 0)] * (each.ndim - 1) + [(0, size - each.shape[-1])] for each in (x, y)]
    return jnp.pad(x, widths[0]), jnp.pad(y, widths[1])


def _spectra(
    x: ArrayLike, y: object, fs: Any, segments: Segments, detrend: object, result: Result
) -> tuple[Any, Any, Any]:
    """Returns frequencies, times, and transforms or powers of the segments of signals."""
    if segments.boundary not in _BOUNDARIES:
        raise ValueError(
            f"Unknown boundary option '{segments.boundary}', must be one of: {[*_BOUNDARIES]}"
        )
    axis = arguments.axis(result.axis, arguments.rank_of(x))
    given = arguments.promote_inexact(x) if y is None else arguments.promote_inexact(x, y)
    if len({each.ndim for each in given}) > 1:
        raise errors.ShapeError("the two signals must have the same rank")
    real = dtypes.to_real(arguments.dtype_of(given[0]))
    if not all(each.size for each in given):
        empty = jnp.zeros(given[0].shape, real)
        return empty, empty, lax.complex(empty, empty)
    cut = segments.of(given[0].shape[axis])
    moved = [jnp.moveaxis(each, axis, -1) for each in given]
    if y is not None:
        moved = list(_same_length(*moved))
    moved = [_prepared(each, segments, cut) for each in moved]
    one_sided = result.is_onesided and not any(map(arguments.is_complex, given))
    if result.is_onesided and not one_sided:
        warnings.warn("Input data is complex, switching to return_onesided=False", stacklevel=4)
    weights = window_functions.window(segments.window, cut.length, real)
    waves = [_transformed(each, weights, _remover(detrend), cut, one_sided) for each in moved]
    values = waves[0] if result.amplitudes else _powers(waves, cut, one_sided)
    values = jnp.moveaxis(values * _scale(weights, fs, result), -1, axis)
    frequencies = jnp.fft.rfftfreq if one_sided else jnp.fft.fftfreq
    freqs = frequencies(cut.transformed, 1 / fs, dtype=real)
    return freqs, _times(moved[0].shape[-1], segments, cut, fs, real), values


def _powers(waves: list[Any], cut: Cut, one_sided: bool) -> Any:
    """Returns the products of two transforms, or of one with itself."""
    values = jnp.conj(waves[0]) * waves[-1]
    if one_sided:
        # Each frequency stands for its negative too, but zero and the highest of an even number.
        last = None if cut.transformed % 2 else -1
        values = values.at[..., 1:last].mul(2)
    return values if len(waves) > 1 else jnp.real(values)


def _times(size: int, segments: Segments, cut: Cut, fs: Array, dtype: DTypeLike | None) -> Any:
    half = cut.length / 2
    middles = jnp.arange(half, size - half + 1, cut.step, dtype=dtype) / fs
    return middles if segments.boundary is None else middles - half / fs


def _median_bias(count: int) -> float:
    """Returns by how much the median of a chi-squared sample of two degrees exceeds its mean."""
    return 1 + sum(1 / (n + 1) - 1 / n for n in range(2, 2 * ((count - 1) // 2) + 1, 2))


def _csd(
    x: ArrayLike,
    y: object,
    fs: Any,
    segments: Segments,
    detrend: object,
    result: Result,
    average: str,
) -> tuple[Any, Any]:
    """Returns cross power spectral densities, averaged over segments."""
    freqs, _, power = _spectra(x, y, fs, segments, detrend, result)
    if y is not None and not arguments.is_complex(power):
        power = lax.complex(power, jnp.zeros_like(power))
    if power.ndim < 2 or not power.size:
        return freqs, power
    if power.shape[-1] == 1:
        return freqs, power[..., 0]
    if average == "mean":
        return freqs, jnp.mean(power, axis=-1)
    if average != "median":
        raise ValueError(f'average must be "median" or "mean", got {average}')
    bias = _median_bias(power.shape[-1])
    if not arguments.is_complex(power):
        return freqs, jnp.median(power, axis=-1) / bias
    parts = [jnp.median(each, axis=-1) / bias for each in (jnp.real(power), jnp.imag(power))]
    return freqs, lax.complex(*parts)


def _istft(
    waves: Any, fs: ArrayLike, segments: Segments, is_onesided: bool, time_axis: int, freq_axis: int
) -> tuple[Any, Any]:
    """Returns the signal that short-time transforms are of, by adding the overlapping segments."""
    (waves,) = arguments.arrays("istft", waves)
    rank = waves.ndim
    if rank < 2:
        raise ValueError("Input stft must be at least 2d!")
    freq_axis, time_axis = arguments.axis(freq_axis, rank), arguments.axis(time_axis, rank)
    if freq_axis == time_axis:
        raise ValueError("Must specify differing time and frequency axes!")
    waves = jnp.moveaxis(waves, (freq_axis, time_axis), (-2, -1))
    default = 2 * (waves.shape[-2] - 1) if is_onesided else waves.shape[-2]
    length, overlap, size = _inverse_lengths(segments, default, is_onesided)
    parts = (jnp.fft.irfft if is_onesided else jnp.fft.ifft)(waves, axis=-2, n=size)
    parts = jnp.swapaxes(parts[..., :length, :], -2, -1)
    weights = window_functions.window(segments.window, length, jnp.real(parts).dtype)
    step = length - overlap
    whole = arguments.broadcast_to(weights * jnp.sum(weights), parts.shape)
    signal = _overlapped(parts * whole, step)
    count = parts.shape[-2]
    norm = _overlapped(arguments.broadcast_to(weights * weights, (count, length)), step)
    if segments.boundary is not None:
        half = length // 2
        signal, norm = signal[..., half:-half], norm[..., half:-half]
    norm = arguments.broadcast_to(jnp.where(norm > 1e-10, norm, 1.0), signal.shape)
    signal = signal / norm
    if signal.ndim > 1 and time_axis != rank - 1:
        signal = jnp.moveaxis(signal, -1, time_axis - (freq_axis < time_axis))
    times = jnp.arange(signal.shape[0], dtype=jnp.real(signal).dtype) / fs
    return times, signal


def _inverse_lengths(segments: Segments, default: int, is_onesided: bool) -> tuple[int, int, int]:
    length = integer(segments.length or default)
    if length < 1:
        raise ValueError("nperseg must be a positive integer")
    size = segments.transformed
    if size is None:
        size = default + (is_onesided and length == default + 1)
    if size < length:
        raise ValueError(f"FFT length ({size}) must be longer than nperseg ({length}).")
    overlap = integer(segments.overlap or length // 2)
    if overlap >= length:
        raise ValueError("noverlap must be less than nperseg.")
    return length, overlap, size


def _overlapped(parts: Any, step: int) -> Any:
    """Returns the sum of segments, each of which begins a step after the one before."""
    *batch, count, length = parts.shape
    places = host.np.arange(count)[:, None] * step + host.np.arange(length)
    zeros = jnp.zeros((*batch, (count - 1) * step + length), parts.dtype)
    return zeros.at[..., jnp.asarray(places)].add(parts)


_SEGMENTS: Final = ("nperseg", "noverlap", "nfft")
_POWER: Final = (*_SEGMENTS, "detrend", "return_onesided", "scaling", "axis", "average")
"""The choices of all functions, and of those that estimate power."""


@public(
    "scipy.signal.csd",
    results.Arrays(2),
    static=_POWER,
)
def csd(
    x: Array,
    y: ArrayLike | None,
    fs: ArrayLike = 1.0,
    window: object = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, Array]:
    """Estimates cross power spectral densities."""
    segments = Segments(window, nperseg, noverlap, nfft)
    return _csd(x, y, fs, segments, detrend, Result(return_onesided, scaling, axis), average)


@public(
    "scipy.signal.istft",
    results.Arrays(2),
    static=(*_SEGMENTS, "input_onesided", "boundary", "time_axis", "freq_axis"),
)
def istft(
    Zxx: Array,
    fs: ArrayLike = 1.0,
    window: object = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
) -> tuple[Array, Array]:
    """Computes a signal from its short-time Fourier transform."""
    segments = Segments(window, nperseg, noverlap, nfft, "zeros" if boundary else None)
    return _istft(Zxx, fs, segments, input_onesided, time_axis, freq_axis)


@public(
    "scipy.signal.stft",
    results.Arrays(3),
    static=(*_SEGMENTS, "detrend", "return_onesided", "boundary", "padded", "axis"),
)
def stft(
    x: Array,
    fs: ArrayLike = 1.0,
    window: object = "hann",
    nperseg: int = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: bool = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
) -> tuple[Array, Array, Array]:
    """Computes short-time Fourier transforms."""
    segments = Segments(window, nperseg, noverlap, nfft, boundary, padded)
    result = Result(return_onesided, "spectrum", axis, amplitudes=True)
    return _spectra(x, None, fs, segments, detrend, result)


@public(
    "scipy.signal.welch",
    results.Arrays(2),
    static=_POWER,
)
def welch(
    x: Array,
    fs: ArrayLike = 1.0,
    window: object = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: str = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, Array]:
    """Estimates power spectral densities."""
    segments = Segments(window, nperseg, noverlap, nfft)
    result = Result(return_onesided, scaling, axis)
    freqs, power = _csd(x, None, fs, segments, detrend, result, average)
    return freqs, jnp.real(power)
