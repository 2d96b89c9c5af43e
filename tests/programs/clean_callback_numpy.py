# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


def host_rank(x):
    return np.argsort(np.argsort(x)).astype(np.int32)


def rank(x):
    result = jax.ShapeDtypeStruct(x.shape, np.int32)
    return jax.pure_callback(host_rank, result, x, vmap_method="sequential")


@jax.jit
def spearman(x, y):
    a, b = rank(x), rank(y)
    return jnp.corrcoef(a, b)[0, 1]


print(spearman(jnp.array([3.0, 1.0, 2.0]), jnp.arange(3.0)))
