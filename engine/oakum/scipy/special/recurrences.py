"""Functions of several orders at once, by recurrences: Bessel functions, spherical harmonics."""

from __future__ import annotations

import math
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.numpy import arguments
from oakum.scipy.special import numbers
from oakum.typing import ArrayLike
from oakum.values import host


def bessel_jn(z: Any, v: object, n_iter: Any) -> Any:
    """Returns Bessel functions of the first kind of the orders up to one, by Miller's
    recurrence.
    """
    (z,) = numbers.reals("bessel_jn", jnp.asarray(z))
    last, steps = numbers.known_int("bessel_jn", v), numbers.known_int("bessel_jn", n_iter)

    def step(carry: Any, k: Array) -> Any:
        above, here, total = carry
        below = 2.0 * (k + 1.0) * here / z - above
        total = total + jnp.where(jnp.remainder(k, 2) == 0, 2.0 * below, 0.0)
        return (here, below, total), below

    start = (jnp.zeros_like(z), jnp.full_like(z, 1e-16), jnp.zeros_like(z))
    orders = lax.iota(z.dtype, steps + 1)
    (_, _, total), values = lax.scan(step, start, orders, reverse=True)
    return values[: last + 1] / (total - values[0])[None]


def _legendre(last: int, x: Array) -> list[list[Any]]:
    """Returns normalized associated Legendre functions of `x`: a list for each order of those by
    degree.
    """
    zero = jnp.zeros_like(x)
    sine = jnp.sqrt(1.0 - x * x)
    diagonal = jnp.full_like(x, 0.5 / math.sqrt(math.pi))
    rows: list[list[Any]] = []
    for m in range(last + 1):
        if m:
            diagonal = diagonal * sine * -math.sqrt(1.0 + 0.5 / m)
        row = [zero] * m + [diagonal]
        for n in range(m + 1, last + 1):
            factor = math.sqrt((4.0 * n * n - 1.0) / (n * n - m * m))
            value = factor * x * row[n - 1]
            if n > m + 1:
                below = math.sqrt(((n - 1.0) ** 2 - m * m) / (4.0 * (n - 1.0) ** 2 - 1.0))
                value = value - factor * below * row[n - 2]
            row.append(value)
        rows.append(row)
    return rows


def sph_harm_y(n: object, m: ArrayLike, theta: Any, phi: object, diff_n: object, n_max: Any) -> Any:
    """Returns spherical harmonics of degrees `n` and orders `m` at angles."""
    if diff_n is not None:
        raise NotImplementedError(
            "The 'diff_n' argument to jax.scipy.special.sph_harm_y is not supported."
        )
    if n_max is None:
        n_max = int(host.np.max(arguments.demand(n, "jax.scipy.special.sph_harm_y")))
    last = numbers.known_int("sph_harm_y", n_max)
    theta = jnp.atleast_1d(theta)
    n, m, phi = (jnp.asarray(each) for each in (n, m, phi))
    if theta.ndim != 1:
        raise errors.ShapeError(f"the angles are a vector, not {theta.aval}")
    table = jnp.stack([jnp.stack(row) for row in _legendre(last, jnp.cos(theta))])
    places = jnp.arange(theta.shape[0])
    size = jnp.abs(m)
    values = table.at[size, n, places].get(mode="clip")
    angle = size * phi
    harmonics = lax.complex(values * jnp.cos(angle), values * jnp.sin(angle))
    sign = jnp.where(jnp.remainder(size, 2) == 0, 1.0, -1.0)
    return jnp.where(m < 0, sign * jnp.conjugate(harmonics), harmonics)
