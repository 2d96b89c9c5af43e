# category: silent/donate-unusable
import warnings

import jax
import jax.numpy as jnp

merge = jax.jit(lambda new, old: 0.5 * (new + old), donate_argnums=(0, 1))  #! OAK704
flatten = jax.jit(lambda grid: grid.reshape(-1), donate_argnums=0)
signs = jax.jit(lambda x: (x > 0).astype(jnp.int32), donate_argnums=0)

new, old = jnp.ones((2, 3)), jnp.zeros((2, 3))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    merged = merge(new, old)
assert any("donated" in str(warning.message) for warning in caught)
print(flatten(merged), signs(jnp.ones(3)))
