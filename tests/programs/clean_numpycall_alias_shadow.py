# category: clean/numpy-call-on-tracer
"""`np` is rebound to jax.numpy inside the class; module-level NumPy stays on constants."""

import jax
import jax.numpy as jnp
import numpy as np

GRID = np.linspace(0.0, 1.0, 5)
DTYPE = np.dtype("float32")


def backend(name):
    return {"numpy": np, "jax": jnp}[name]


class Kernel:
    def __init__(self, name="jax"):
        self.np = backend(name)

    def __call__(self, x):
        xp = self.np
        return xp.exp(-xp.square(x))


def entropy(p, np=jnp):
    return -np.sum(p * np.log(p + 1e-9))


kernel = Kernel()
print(jax.jit(kernel)(jnp.ones(2)), Kernel("numpy")(GRID).sum())
print(jax.jit(entropy)(jnp.array([0.5, 0.5])), entropy(GRID, np))
print(jax.jit(lambda x: x.astype(DTYPE) * np.float32(GRID.mean()) + np.pi)(jnp.ones(1)))
