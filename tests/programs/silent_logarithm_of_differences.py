# category: silent/nan-where-grad
# What may be below zero meets the pole of log1p, which a selection hides from the value alone.
import jax
import jax.numpy as jnp


def squash(x):
    excess = jnp.abs(x) - 2.0
    return jnp.where(excess > 3.0, jnp.log1p(excess), 0.0)  #! OAK602


gradients = jax.grad(lambda x: jnp.sum(squash(x)))(jnp.array([1.0, -4.0, 8.0]))
assert not jnp.isfinite(gradients).all()
