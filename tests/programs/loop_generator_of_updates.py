# category: python-loop-on-tracer
from typing import Iterator

import jax
import jax.numpy as jnp


def conjugate_gradient(matvec, b, tol) -> Iterator[jax.Array]:
    """Yields iterates until the residual is small."""
    x = jnp.zeros_like(b)
    r = p = b
    rs = r @ r
    while rs > tol**2:  #! OAK202 11 #~ TracerBoolConversionError
        ap = matvec(p)
        alpha = rs / (p @ ap)
        x, r = x + alpha * p, r - alpha * ap
        rs, old = r @ r, rs
        p = r + (rs / old) * p
        yield x


def solve(a, b, tol=1e-3):
    x = b
    for x in conjugate_gradient(lambda v: a @ v, b, tol):
        pass
    return x


a, b = jnp.array([[4.0, 1.0], [1.0, 3.0]]), jnp.array([1.0, 2.0])
print(solve(a, b))
print(jax.jit(solve)(a, b))
