# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp

try:
    import cupy as xp
except ImportError:
    xp = jnp

DEBUG = False


def is_concrete(x):
    return not isinstance(x, jax.core.Tracer)


@jax.jit
def normalize(x):
    total = xp.sum(x)
    if is_concrete(total) and total == 0:
        raise ValueError("zero total")
    if DEBUG and total > 0:
        print("positive")
    return x / total


print(normalize(jnp.ones(3)))
