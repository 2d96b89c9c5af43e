# category: silent/nan-gradient
"""Going forward, what `where` does not select is left out of the derivative, too; going back, it is
a zero times infinity, also through a forward derivative.
"""

import jax
import jax.numpy as jnp


def inverse(r):
    return jnp.where(r > 0, 1.0 / r, 0.0)


def inverse_back(r):
    return jnp.where(r > 0, 1.0 / r, 0.0)  #! OAK602


def inverse_of_both(r):
    return jnp.where(r > 0, 1.0 / r, 0.0)  #! OAK602


zeros = jnp.zeros(3)
assert not jnp.isnan(jax.jacfwd(inverse)(zeros)).any()
assert not jnp.isnan(jax.jvp(inverse, (zeros,), (jnp.ones(3),))[1]).any()
assert jnp.isnan(jax.jacrev(inverse_back)(zeros)).any()
slope = jax.jacrev(jax.jacfwd(inverse_of_both))(zeros)
assert jnp.isnan(slope).any()
