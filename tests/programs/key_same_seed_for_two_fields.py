# category: silent/key-reuse
"""Each component of a shear has its own noise, by keys that are made of the same seed."""

import jax
import jax.numpy as jnp


def observed(shear_1, shear_2, deviation):
    shear_1 += deviation * jax.random.normal(jax.random.PRNGKey(42), shear_1.shape)
    shear_2 += deviation * jax.random.normal(jax.random.PRNGKey(42), shear_2.shape)  #! OAK401
    return jnp.stack([shear_1, shear_2], axis=-1)


maps = observed(jnp.zeros(4), jnp.zeros(4), 0.3)
assert jnp.array_equal(maps[:, 0], maps[:, 1])
