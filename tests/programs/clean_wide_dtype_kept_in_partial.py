# category: clean/float64-without-x64
"""Prepared functions that ask NumPy for wide dtypes, JAX for narrow ones, or are told another."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

table = partial(np.zeros, dtype=np.float64)
single = partial(jnp.zeros, dtype=jnp.float32)
wide = partial(jnp.ones, dtype=jnp.float64)
OPTIONS = {"dtype": np.float64}


@jax.jit
def total(rows):
    return jnp.sum(jnp.asarray(table((3, 5)), dtype=jnp.float32) + rows)


ramp = np.arange(5, **OPTIONS)
print(total(single((3, 5))), wide((5,), dtype=jnp.float32), ramp)
