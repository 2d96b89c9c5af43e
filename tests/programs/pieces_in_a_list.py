# category: clean/scalar-cast-of-tracer
"""Functions that return several arrays in a list, which is changed and asked for its type."""

import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def total(x):
    pieces = jnp.split(x, 2)
    pieces.append(2 * pieces[0])
    if not isinstance(pieces, list):
        return int(x[0])
    grids = jnp.meshgrid(x, x)
    grids.reverse()
    if isinstance(lax.top_k(x, 2), tuple):
        return int(x[1])
    if isinstance(jnp.nonzero(x, size=1), list):
        return int(x[2])
    best, _ = lax.top_k(x, 2)
    if len(pieces) != 3:
        return int(best[0])
    return sum(piece.sum() for piece in pieces) + grids[0][0, 0]


print(total(jnp.arange(4.0)))
