"""Convolution, filtering and spectra of signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import numpy as jnp
from oakum.abstract import results
from oakum.abstract.convolution import signals
from oakum.array import Array
from oakum.scipy.transforms import convolution, spectra, trends
from oakum.typing import ArrayLike, PrecisionLike
from oakum.values.declarations import public


@public("scipy.signal.convolve", signals, static=("mode", "method"))
def convolve(
    in1: Array,
    in2: Array,
    mode: Any = "full",
    method: str = "auto",
    precision: PrecisionLike = None,
) -> Array:
    """Convolves two arrays."""
    return convolution.convolve(in1, in2, mode, method, precision)


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
    convolution.check_2d("convolve2d", in1, in2, boundary, fillvalue)
    return convolution.direct(in1, in2, mode, precision)


@public("scipy.signal.correlate", signals, static=("mode", "method"))
def correlate(
    in1: Array,
    in2: Array,
    mode: Any = "full",
    method: str = "auto",
    precision: PrecisionLike = None,
) -> Array:
    """Correlates two arrays."""
    return convolution.correlate(in1, in2, mode, method, precision)


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
    convolution.check_2d("correlate2d", in1, in2, boundary, fillvalue)
    return convolution.correlate2d(in1, in2, mode, precision)


@public(
    "scipy.signal.csd",
    results.arrays(2),
    static=(
        "nperseg",
        "noverlap",
        "nfft",
        "detrend",
        "return_onesided",
        "scaling",
        "axis",
        "average",
    ),
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
    segments = spectra.Segments(window, nperseg, noverlap, nfft)
    return spectra.csd(
        x, y, fs, segments, detrend, spectra.Result(return_onesided, scaling, axis), average
    )


@public("scipy.signal.detrend", results.array, static=("axis", "type", "bp"))
def detrend(
    data: ArrayLike,
    axis: int = -1,
    type: str = "linear",
    bp: int | Sequence[int] | ArrayLike = 0,
    overwrite_data: None = None,
) -> Array:
    """Removes a linear or constant trend."""
    if overwrite_data is not None:
        raise NotImplementedError("overwrite_data argument not implemented.")
    return trends.detrend(data, axis, type, bp)


@public("scipy.signal.fftconvolve", signals, static=("mode", "axes"))
def fftconvolve(
    in1: ArrayLike, in2: ArrayLike, mode: Any = "full", axes: Sequence[int] | None = None
) -> Array:
    """Convolves two arrays by Fourier transforms."""
    return convolution.by_fourier(in1, in2, mode, axes)


@public(
    "scipy.signal.istft",
    results.arrays(2),
    static=("nperseg", "noverlap", "nfft", "input_onesided", "boundary", "time_axis", "freq_axis"),
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
    segments = spectra.Segments(window, nperseg, noverlap, nfft, "zeros" if boundary else None)
    return spectra.istft(Zxx, fs, segments, input_onesided, time_axis, freq_axis)


@public(
    "scipy.signal.stft",
    results.arrays(3),
    static=(
        "nperseg",
        "noverlap",
        "nfft",
        "detrend",
        "return_onesided",
        "boundary",
        "padded",
        "axis",
    ),
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
    segments = spectra.Segments(window, nperseg, noverlap, nfft, boundary, padded)
    result = spectra.Result(return_onesided, "spectrum", axis, amplitudes=True)
    return spectra.spectra(x, None, fs, segments, detrend, result)


@public(
    "scipy.signal.welch",
    results.arrays(2),
    static=(
        "nperseg",
        "noverlap",
        "nfft",
        "detrend",
        "return_onesided",
        "scaling",
        "axis",
        "average",
    ),
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
    freqs, power = csd(
        x,
        None,
        fs,
        window,
        nperseg,
        noverlap,
        nfft,
        detrend,
        return_onesided,
        scaling,
        axis,
        average,
    )
    return freqs, jnp.real(power)
