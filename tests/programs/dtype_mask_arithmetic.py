# category: dtype-mismatch
"""A mask is negated and subtracted as if its elements were numbers."""

import jax
import jax.numpy as jnp


def inside(points, radius):
    return jnp.linalg.norm(points, axis=-1) < radius


@jax.vmap
def ring(points):
    outer, inner = inside(points, 2.0), inside(points, 1.0)
    return jnp.sum(points * (outer - inner)[:, None])  #! OAK502 #~ TypeError


ring(jnp.ones((5, 4, 2)))
