"""Windows: the weights of the samples of a segment, by SciPy's names.

Each is computed for one sample more than is asked for, of which the last is dropped: it would be
the first of the next period, as the transform sees it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from oakum import numpy as jnp
from oakum.typing import DTypeLike
from oakum.values import host
from oakum.values.host import np

_COSINES: Final[dict[str, tuple[float, ...]]] = {
    "boxcar": (1.0,),
    "hann": (0.5, 0.5),
    "hamming": (0.54, 0.46),
    "blackman": (0.42, 0.5, 0.08),
    "nuttall": (0.3635819, 0.4891775, 0.1365995, 0.0106411),
    "blackmanharris": (0.35875, 0.48829, 0.14128, 0.01168),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
}
"""Windows that are sums of cosines, of which the signs alternate."""


def _of_cosines(x: host.Array, *weights: float) -> Any:
    """Returns a sum of cosines over places from -1 to 1."""
    return sum(each * np.cos(k * math.pi * x) for k, each in enumerate(weights))


def _parzen(x: host.Array) -> Any:
    size = np.abs(x) * (len(x) - 1) / len(x)
    inner = 1 - 6 * size**2 * (1 - size)
    return np.where(size <= 0.5 * (len(x) - 1) / len(x), inner, 2 * (1 - size) ** 3)


def _bohman(x: host.Array) -> Any:
    size = np.abs(x)
    inner = (1 - size) * np.cos(math.pi * size) + np.sin(math.pi * size) / math.pi
    return np.where(size < 1, inner, 0.0)


def _tukey(x: host.Array, alpha: float = 0.5) -> Any:
    if alpha <= 0:
        return np.ones_like(x)
    edge = (np.abs(x) - (1 - alpha)) / alpha
    return np.where(edge > 0, 0.5 * (1 + np.cos(math.pi * edge)), 1.0)


def _exponential(x: host.Array, center: float | None = None, tau: float = 1.0) -> Any:
    """Of places from -1 to 1; `center` may only be the middle, as windows are periodic here."""
    if center is not None:
        raise ValueError(f"a periodic exponential window has its center in the middle: {center}")
    return np.exp(-np.abs(x) * (len(x) - 1) / 2 / tau)


def _gaussian(x: host.Array, std: float) -> Any:
    return _general_gaussian(x, 1.0, std)


def _general_gaussian(x: host.Array, p: float, sig: float) -> Any:
    return np.exp(-0.5 * np.abs(x * (len(x) - 1) / 2 / sig) ** (2 * p))


def _kaiser(x: host.Array, beta: float) -> Any:
    return np.i0(beta * np.sqrt(np.maximum(1 - x**2, 0))) / np.i0(beta)


def _triang(x: host.Array) -> Any:
    return 1 - np.abs(x) * (len(x) - 1) / (len(x) + len(x) % 2)


def _bartlett(x: host.Array) -> Any:
    return 1 - np.abs(x)


def _barthann(x: host.Array) -> Any:
    return 0.62 - 0.24 * np.abs(x) + 0.38 * np.cos(math.pi * x)


def _cosine(x: host.Array) -> Any:
    return np.cos(math.pi / 2 * x * (len(x) - 1) / len(x))


def _general_cosine(x: host.Array, weights: Sequence[float]) -> Any:
    return _of_cosines(x, *weights)


def _general_hamming(x: host.Array, alpha: float) -> Any:
    return _of_cosines(x, alpha, 1 - alpha)


_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "triang": _triang,
    "bartlett": _bartlett,
    "parzen": _parzen,
    "bohman": _bohman,
    "barthann": _barthann,
    "cosine": _cosine,
    "lanczos": np.sinc,
    "tukey": _tukey,
    "exponential": _exponential,
    "kaiser": _kaiser,
    "gaussian": _gaussian,
    "general_gaussian": _general_gaussian,
    "general_cosine": _general_cosine,
    "general_hamming": _general_hamming,
}
"""Windows over places from -1 to 1, with their parameters."""

_SHORT: Final = {
    "box": "boxcar",
    "han": "hann",
    "hanning": "hann",
    "ham": "hamming",
    "black": "blackman",
    "flat": "flattop",
    "tri": "triang",
    "bart": "bartlett",
    "halfcosine": "cosine",
    "tuk": "tukey",
    "ksr": "kaiser",
    "gauss": "gaussian",
}


def window(spec: object, length: int, dtype: DTypeLike | None) -> Any:
    """Returns the weights of a segment: of a window by its name, or by a tuple of its name and its
    parameters; an array is the weights itself, a number the beta of Kaiser's window.
    """
    if isinstance(spec, float):
        spec = ("kaiser", spec)
    if not isinstance(spec, (str, tuple)):
        return jnp.asarray(spec, dtype)
    name, *parameters = [spec] if isinstance(spec, str) else cast("tuple[Any, ...]", spec)
    name = _SHORT.get(name, name)
    places = np.linspace(-1, 1, length + 1)
    if name in _COSINES:
        weights = _of_cosines(places, *_COSINES[name])
    elif name in _FUNCTIONS:
        weights = _FUNCTIONS[name](places, *parameters)
    else:
        known = ", ".join([*_COSINES, *_FUNCTIONS])
        raise ValueError(
            f"window {spec!r} is not known; give an array of weights, or one of {known}"
        )
    return jnp.asarray(weights[:-1] if length > 1 else np.ones(1), dtype)
