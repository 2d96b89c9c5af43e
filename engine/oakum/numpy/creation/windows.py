"""Windows: weights that fall off to both ends."""

from __future__ import annotations

import math
from typing import Any

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.abstract import creation
from oakum.array import Array
from oakum.numpy.operands import arguments
from oakum.tracing.dtype_requests import canonical
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.uses import Use


@public("numpy.bartlett", creation.window, sizes=("M",))
def bartlett(M: int) -> Array:
    """Makes a triangular window."""
    size = arguments.static_integer(M, "the size of jnp.bartlett()", Use.SIZE)
    if size <= 1:
        return _trivial(size)
    return 1 - jnp.abs(2 * _positions(size) + 1 - size) / (size - 1)


def _positions(size: int) -> Any:
    return lax.iota(host.dtype(canonical(dtypes.float64)), size)


def _trivial(size: int) -> Any:
    """The window of one point or none."""
    return lax.full((size,), 1, host.dtype(canonical(dtypes.float64)))


@public("numpy.blackman", creation.window, sizes=("M",))
def blackman(M: int) -> Array:
    """Makes a Blackman window."""
    size = arguments.static_integer(M, "the size of jnp.blackman()", Use.SIZE)
    if size <= 1:
        return _trivial(size)
    return 0.42 - 0.5 * _wave(size, 1) + 0.08 * _wave(size, 2)


def _wave(size: int, periods: int) -> Any:
    return jnp.cos(2 * periods * math.pi * _positions(size) / (size - 1))


@public("numpy.hamming", creation.window, sizes=("M",))
def hamming(M: int) -> Array:
    """Makes a Hamming window."""
    size = arguments.static_integer(M, "the size of jnp.hamming()", Use.SIZE)
    return _trivial(size) if size <= 1 else 0.54 - 0.46 * _wave(size, 1)


@public("numpy.hanning", creation.window, sizes=("M",))
def hanning(M: int) -> Array:
    """Makes a Hann window."""
    size = arguments.static_integer(M, "the size of jnp.hanning()", Use.SIZE)
    return _trivial(size) if size <= 1 else 0.5 * (1 - _wave(size, 1))


@public("numpy.kaiser", creation.window, sizes=("M",))
def kaiser(M: int, beta: ArrayLike) -> Array:
    """Makes a Kaiser window."""
    size = arguments.static_integer(M, "the size of jnp.kaiser()", Use.SIZE)
    if size <= 1:
        return _trivial(size)
    middle = 0.5 * (size - 1)
    place = (_positions(size) - middle) / middle
    return jnp.i0(jnp.multiply(beta, jnp.sqrt(1 - place**2))) / jnp.i0(beta)
