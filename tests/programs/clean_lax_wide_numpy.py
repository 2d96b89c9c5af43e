# category: clean/dtype-mismatch
"""NumPy makes 64-bit arrays; what jax.lax and donated arguments take is 32-bit, as JAX reads it."""

import jax
import jax.numpy as jnp
import numpy as np

low, step = np.zeros(3), np.linspace(0.0, 1.0, 3)
x = jnp.ones(3)
print(jax.lax.add(step, x), jax.lax.clamp(low, x, np.ones(3)))
print(jax.lax.select(x > 0, low, x), jax.lax.concatenate([low, x], 0))
print(jax.lax.dynamic_update_slice(x, np.ones(2), (0,)))
print(jax.jit(lambda v: v * 2.0, donate_argnums=0)(np.ones(3)))
