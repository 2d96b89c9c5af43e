# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp
from jax.lax import map as lax_map

EDGES = [0.0, 0.5, 1.0, 2.0]


def relative_bucket(distance, scale=4):
    if distance is None:
        return 0
    bucket = jnp.log1p(distance) * scale
    return int(bucket)  #! OAK204 16 #~ ConcretizationTypeError


def bias_for(distance):
    b = relative_bucket(distance)
    return 0.1 * b


def bias_matrix(positions):
    n = len(positions)
    deltas = jnp.abs(positions[:, None] - positions[None, :]).reshape(n * n)
    return lax_map(bias_for, deltas).reshape(n, n)


print(relative_bucket(3.0), relative_bucket(None))
print(bias_matrix(jnp.arange(3.0)))
