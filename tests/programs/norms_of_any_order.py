# category: clean/static-argument-type
"""Orders of norms, and degrees of freedom, may be floats: the maximum norm has the order `inf`.
Paddings may be pairs, windows arrays, and choices several arrays.
"""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def scale_bound(weights):
    rows = jnp.linalg.norm(weights, ord=jnp.inf)
    columns = jnp.linalg.norm(weights, ord=1)
    return jnp.sqrt(rows * columns) + jnp.linalg.matrix_norm(weights, ord=np.inf)


@jax.jit
def spread(samples):
    smooth = jnp.linalg.vector_norm(samples, ord=2.5)
    return smooth + samples.var(ddof=1.5) + jnp.linalg.norm(samples, float("inf"))


@jax.jit
def filtered(images, kernel, labels):
    rows = jax.lax.conv(images, kernel, (1, 1), [(0, 0), (1, 1)])
    _, density = jax.scipy.signal.welch(jnp.ravel(rows), window=jnp.ones(8), nperseg=8)
    chosen = jnp.choose(labels, [density[:3], -density[:3]], mode="clip")
    return jnp.rot90(rows[0, 0], k=1.0), chosen


print(filtered(jnp.ones((1, 1, 4, 4)), jnp.ones((1, 1, 2, 2)), jnp.array([0, 1, 1])))
print(scale_bound(jnp.eye(3)), spread(jnp.arange(4.0)))
