"""The Faddeeva function and its relatives: Dawson's integral, scaled erfc, Fresnel's integrals.

The Faddeeva function is computed by the rational series of Weideman, "Computation of the complex
error function", 1994, which is exact to about 13 digits.
"""

from __future__ import annotations

import functools
import math
from types import ModuleType
from typing import Any, Final

from oakum.primitives.host.special import error
from oakum.primitives.host.special.pieces import Functions, piecewise
from oakum.values import host

_TERMS: Final = 44
_ROOT_PI: Final = math.sqrt(math.pi)
_TAYLOR_BOUND: Final = 1.0


@functools.cache
def _series(terms: int) -> tuple[float, list[float]]:
    """Returns the length of the map onto the disk, and the coefficients, the highest power
    first.
    """
    from oakum.values import host

    np = host.np
    count = 4 * terms
    length = math.sqrt(terms / math.sqrt(2))
    angles = np.arange(-count + 1, count) * math.pi / count
    t = length * np.tan(angles / 2)
    values = np.concatenate([[0.0], np.exp(-(t**2)) * (length**2 + t**2)])
    sums = np.real(np.fft.fft(np.fft.fftshift(values))) / (2 * count)
    return length, [float(each) for each in sums[terms:0:-1]]


def _upper(xp: ModuleType, z: host.Array) -> Any:
    """Returns the Faddeeva function where the imaginary part is not negative."""
    length, coefficients = _series(_TERMS)
    below = length - 1j * z
    ratio = (length + 1j * z) / below
    total = xp.zeros_like(z)
    for each in coefficients:
        total = total * ratio + each
    return 2 * total / below**2 + (1 / _ROOT_PI) / below


def wofz(xp: ModuleType, z: host.Array) -> Any:
    """Returns the function `exp(-z**2) * erfc(-1j * z)`."""
    is_upper = z.imag >= 0
    above = _upper(xp, xp.where(is_upper, z, -z))
    return xp.where(is_upper, above, 2 * xp.exp(-(z * z)) - above)


def erfcx(xp: Functions, x: host.Array) -> Any:
    """Returns the function `exp(x**2) * erfc(x)`."""

    def direct(x: host.Array) -> Any:
        return xp.exp(x * x) * error.erfc(xp, x)

    return piecewise(xp, (x,), [(x < 2, direct), (x >= 2, functools.partial(_fraction, xp))])


def _fraction(xp: Functions, x: host.Array) -> Any:
    """Laplace's continued fraction for scaled erfc."""
    result = x
    for k in range(120, 0, -1):
        result = x + (k / 2) / result
    return 1 / (_ROOT_PI * result)


_STEP: Final = 0.25
"""The sampling distance of Rybicki's formula; its error is below 1e-17."""


def dawsn(xp: Functions, x: host.Array) -> Any:
    """Dawson's integral `exp(-x**2) * integral of exp(t**2) from 0 to x`."""
    size = xp.abs(x)
    pieces = [
        (size < 0.2, functools.partial(_dawsn_series, xp)),
        (size < 50, functools.partial(_dawsn_sampled, xp)),
        (size >= 50, _dawsn_far),
    ]
    return piecewise(xp, (x,), pieces)


def _dawsn_far(x: host.Array) -> Any:
    inverse = 0.5 / (x * x)
    total = 1 + 5 * inverse * (1 + 7 * inverse)
    return (1 + inverse * (1 + 3 * inverse * total)) / (2 * x)


def _dawsn_series(xp: Functions, x: host.Array) -> Any:
    square, term, total = x * x, x, x
    for k in range(1, 12):
        term = term * square * (-2 / (2 * k + 1))
        total = total + term
    return total


def _dawsn_sampled(xp: Functions, x: host.Array) -> Any:
    """Rybicki's formula: a sum of samples of a Gaussian, which converges exponentially."""
    nearest = 2 * xp.rint(0.5 * x / _STEP)
    rest = x - nearest * _STEP
    total = xp.zeros_like(x)
    for n in range(-27, 28, 2):
        total = total + xp.exp(-((rest - n * _STEP) ** 2)) / (nearest + n)
    return total / _ROOT_PI


def fresnel(xp: ModuleType, x: host.Array) -> tuple[Any, Any]:
    """Fresnel's integrals of the sine and the cosine of `pi * t**2 / 2` from 0 to x."""
    size = xp.abs(x)
    near = size < _TAYLOR_BOUND
    s_near, c_near = _fresnel_series(xp.where(near, size, 0.0))
    s_far, c_far = _fresnel_far(xp, xp.where(near, 1.0, size))
    sign = xp.sign(x)
    s = sign * xp.where(near, s_near, s_far)
    c = sign * xp.where(near, c_near, c_far)
    endless = xp.isinf(x)
    return xp.where(endless, sign * 0.5, s), xp.where(endless, sign * 0.5, c)


def _fresnel_series(x: host.Array) -> tuple[Any, Any]:
    power = (math.pi / 2) * x * x
    square, term = power * power, x
    c, s = x, x * power / 3
    for k in range(1, 12):
        term = term * square / (-(2 * k - 1) * (2 * k))
        c = c + term / (4 * k + 1)
        s = s + term * power / ((2 * k + 1) * (4 * k + 3))
    return s, c


def _fresnel_far(xp: ModuleType, x: host.Array) -> tuple[Any, Any]:
    """Computes Fresnel integrals from erf(sqrt(pi) / 2 * (1 - 1j) * x), with an exact phase."""
    # The argument of the phase is x**2 / 4 in whole turns, of which the whole ones are dropped.
    turns = xp.fmod(x, 2.0) * xp.fmod(x, 2.0) / 4 if xp.all(x < 2) else _quarter_square(xp, x)
    phase = xp.exp(2j * math.pi * turns)
    w = _upper(xp, (1 + 1j) * (_ROOT_PI / 2) * x)
    value = (1 + 1j) / 2 * (1 - phase * w)
    return value.imag, value.real


def _quarter_square(xp: ModuleType, x: host.Array) -> Any:
    """Returns the fraction of `x**2 / 4`, without the rounding of a large square."""
    whole = xp.floor(x)
    rest = x - whole
    mod = xp.fmod(whole, 4.0)
    # whole**2 / 4 has the same fraction as mod**2 / 4, since whole - mod is divided by four.
    return xp.fmod(mod * mod / 4 + xp.fmod(whole * rest / 2, 1.0) + rest * rest / 4, 1.0)
