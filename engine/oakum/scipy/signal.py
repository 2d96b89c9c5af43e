"""Convolution, filtering and spectra of signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, PrecisionLike


@public("scipy.signal.convolve", results.array, static=("mode", "method"))
def convolve(
    in1: Array,
    in2: Array,
    mode: Any = "full",
    method: str = "auto",
    precision: PrecisionLike = None,
) -> Array:
    """Convolves two arrays."""
    ...


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
    ...


@public("scipy.signal.correlate", results.array, static=("mode", "method"))
def correlate(
    in1: Array,
    in2: Array,
    mode: Any = "full",
    method: str = "auto",
    precision: PrecisionLike = None,
) -> Array:
    """Correlates two arrays."""
    ...


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
    ...


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
    window: str = "hann",
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
    ...


@public("scipy.signal.detrend", results.array, static=("axis", "type", "bp"))
def detrend(
    data: ArrayLike,
    axis: int = -1,
    type: str = "linear",
    bp: int | Sequence[int] | ArrayLike = 0,
    overwrite_data: None = None,
) -> Array:
    """Removes a linear or constant trend."""
    ...


@public("scipy.signal.fftconvolve", results.array, static=("mode", "axes"))
def fftconvolve(
    in1: ArrayLike, in2: ArrayLike, mode: Any = "full", axes: Sequence[int] | None = None
) -> Array:
    """Convolves two arrays by Fourier transforms."""
    ...


@public(
    "scipy.signal.istft",
    results.arrays(2),
    static=("nperseg", "noverlap", "nfft", "input_onesided", "boundary", "time_axis", "freq_axis"),
)
def istft(
    Zxx: Array,
    fs: ArrayLike = 1.0,
    window: str = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
) -> tuple[Array, Array]:
    """Computes a signal from its short-time Fourier transform."""
    ...


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
    window: str = "hann",
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
    ...


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
    window: str = "hann",
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
    ...
