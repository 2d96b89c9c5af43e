"""Convolution, filtering and spectra of signals."""

from typing import TYPE_CHECKING

from oakum.values import lazy_modules

lazy_modules.defer_all("oakum.scipy.signal", __path__)

if TYPE_CHECKING:
    # fmt: off
    # isort: off
    from oakum.scipy.signal.convolution import (
        convolve as convolve, convolve2d as convolve2d, correlate as correlate,
        correlate2d as correlate2d, fftconvolve as fftconvolve,
    )
    from oakum.scipy.signal.spectra import (
        csd as csd, istft as istft, stft as stft, welch as welch,
    )
    from oakum.scipy.signal.trends import (
        detrend as detrend,
    )
    # isort: on
    # fmt: on
else:  # to type checkers any name would be one of the module
    __getattr__, __dir__ = lazy_modules.deferred("oakum.scipy.signal")
