# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp
import numpy as np

WEIGHTS = np.array([0.2, 0.3, 0.5])


@jax.jit
def weighted(x):
    with jax.ensure_compile_time_eval():
        total = jnp.sum(jnp.asarray(WEIGHTS))
        if total > 0.99:
            weights = jnp.asarray(WEIGHTS)
        else:
            weights = jnp.asarray(WEIGHTS) / total
    if WEIGHTS.sum() > 0.5 and np.all(WEIGHTS > 0):
        x = x * 2
    return x @ weights


print(weighted(jnp.ones(3)))
