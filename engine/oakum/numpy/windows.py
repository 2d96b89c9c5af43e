"""Window functions of signal processing."""

from __future__ import annotations

import math
from typing import Any

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.tracing.dtype_requests import canonical
from oakum.values import host


def _positions(size: int) -> Any:
    return lax.iota(host.dtype(canonical(dtypes.float64)), size)


def _trivial(size: int) -> Any:
    """The window of one point or none."""
    return lax.full((size,), 1, host.dtype(canonical(dtypes.float64)))


def _wave(size: int, periods: int) -> Any:
    return jnp.cos(2 * periods * math.pi * _positions(size) / (size - 1))


def bartlett(size: int) -> Any:
    """A triangle."""
    if size <= 1:
        return _trivial(size)
    return 1 - jnp.abs(2 * _positions(size) + 1 - size) / (size - 1)


def blackman(size: int) -> Any:
    """A sum of two cosines."""
    if size <= 1:
        return _trivial(size)
    return 0.42 - 0.5 * _wave(size, 1) + 0.08 * _wave(size, 2)


def hamming(size: int) -> Any:
    """A raised cosine that does not reach zero."""
    return _trivial(size) if size <= 1 else 0.54 - 0.46 * _wave(size, 1)


def hanning(size: int) -> Any:
    """A raised cosine that reaches zero."""
    return _trivial(size) if size <= 1 else 0.5 * (1 - _wave(size, 1))


def kaiser(size: int, beta: Any) -> Any:
    """A window of Bessel functions, with a parameter for its width."""
    if size <= 1:
        return _trivial(size)
    middle = 0.5 * (size - 1)
    place = (_positions(size) - middle) / middle
    return jnp.i0(jnp.multiply(beta, jnp.sqrt(1 - place**2))) / jnp.i0(beta)
