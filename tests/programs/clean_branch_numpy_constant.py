# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp
import numpy as np

SCALES = np.array([0.5, 2.0])
THRESHOLD = jnp.float32(1.0)
IS_LARGE = bool(THRESHOLD > 0.5)


@jax.jit
def rescale(x):
    if SCALES.max() > 1.0 and IS_LARGE:
        x = x / SCALES.max()
    if np.any(SCALES < 0) or not np.isclose(SCALES.sum(), 2.5):
        x = -x
    return x if x.aval.weak_type else x * THRESHOLD


def make(power):
    sign = 1.0 if jnp.sum(THRESHOLD) > 0 else -1.0
    return jax.jit(lambda x: sign * x**power if power > 1 else x)


print(rescale(jnp.ones(2)), make(2)(jnp.ones(2)))
