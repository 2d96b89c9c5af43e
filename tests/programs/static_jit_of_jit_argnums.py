# category: traced-static-argument
import jax
import jax.numpy as jnp
from jax import jit, vmap


def _matrix_power(m, p):
    out = jnp.eye(m.shape[0])
    while p:
        if p & 1:
            out = out @ m
        m, p = m @ m, p >> 1
    return out


matrix_power = jit(_matrix_power, static_argnums=(1,))


def reachable(adjacency, steps):
    """Entry (i, j) counts the walks of the given length."""
    return matrix_power(adjacency, steps) > 0  #! OAK212 #~ ValueError


adjacency = jnp.array([[0.0, 1.0], [1.0, 0.0]])
print(reachable(adjacency, 3))
print(vmap(reachable, in_axes=(None, 0))(adjacency, jnp.arange(1, 3)))
