# category: clean/dynamic-shape-op
import jax
import jax.numpy as jnp
import numpy as np

EDGES = np.array([[0, 1], [1, 2], [2, 0]])
RECEIVERS = np.unique(EDGES[:, 1])


@jax.jit
def gather(x):
    (rows,) = np.nonzero(RECEIVERS > 0)
    picked = x[rows]
    tiled = jnp.repeat(x, 2)
    spread = jnp.repeat(x, np.array([1, 0, 2]))
    mask = jnp.where(x > 1.0, 1.0, 0.0)
    sorted_x = jnp.sort(x)[::-1]
    return picked.sum() + tiled.sum() + spread.sum() + mask.sum() + sorted_x[0]


def outliers(x):
    return jnp.argwhere(x > 2.0 * x.mean())[:, 0]


x = jnp.array([0.5, 1.0, 4.0])
print(gather(x), outliers(x), jnp.where(x > 1.0), jnp.bincount(jnp.array([0, 2, 2])))
