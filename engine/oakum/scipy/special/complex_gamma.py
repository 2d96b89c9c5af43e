"""The gamma function of complex numbers, by Lanczos's formula."""

from __future__ import annotations

import math
from typing import Any, Final

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.numpy import arguments
from oakum.typing import ArrayLike

_SHIFT: Final = 7.0
_LANCZOS: Final = (
    0.99999999999980993,
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
)


def _right(z: Array) -> Any:
    """Returns the logarithm of the gamma function where the real part is at least one half."""
    z = z - 1.0
    total = jnp.full_like(z, _LANCZOS[0])
    for k, each in enumerate(_LANCZOS[1:], 1):
        total = total + each / (z + k)
    t = z + (_SHIFT + 0.5)
    return 0.5 * math.log(2 * math.pi) + (z + 0.5) * jnp.log(t) - t + jnp.log(total)


def _log_gamma(z: Array) -> Any:
    """Returns a logarithm of the gamma function, of some branch."""
    is_left = jnp.real(z) < 0.5
    right = _right(jnp.where(is_left, 1.0 - z, z))
    safe = jnp.where(is_left, z, jnp.full_like(z, 0.5))
    reflected = math.log(math.pi) - jnp.log(jnp.sin(math.pi * safe)) - right
    return jnp.where(is_left, reflected, right)


def _undefined(z: ArrayLike) -> Any:
    real = jnp.real(z)
    pole = (jnp.imag(z) == 0) & (real == jnp.floor(real)) & (real <= 0)
    return pole | jnp.isnan(z)


def _nan(z: ArrayLike) -> Any:
    return jnp.full_like(z, complex(math.nan, math.nan))


def gamma(z: ArrayLike) -> Any:
    """Returns the gamma function of complex numbers."""
    undefined = _undefined(z)
    safe = jnp.where(undefined, jnp.ones_like(z), z)
    return jnp.where(undefined, _nan(z), jnp.exp(_log_gamma(safe)))


def loggamma(z: ArrayLike) -> Any:
    """Returns the logarithm of the gamma function that is continuous off the negative real axis."""
    undefined = _undefined(z)
    safe = jnp.where(undefined, jnp.ones_like(z), z)
    steps = jnp.maximum(0, jnp.ceil(0.5 - jnp.real(safe)))
    count = arguments.convert(steps, arguments.default_int())

    def go_on(state: Any) -> Any:
        return jnp.any(state[0] < count)

    def step(state: Any) -> Any:
        k, logs = state
        used = k < count
        return k + 1, logs + jnp.where(used, jnp.log(jnp.where(used, safe + k, 1)), 0)

    _, logs = lax.while_loop(go_on, step, (0, jnp.zeros_like(safe)))
    return jnp.where(undefined, _nan(z), _right(safe + steps) - logs)
