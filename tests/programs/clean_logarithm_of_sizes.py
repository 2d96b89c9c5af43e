# category: clean/nan-where-grad
# Sizes are off the pole of log1p wherever a selection leaves it out.
import jax
import jax.numpy as jnp


def squash(x):
    size = jnp.abs(x)
    return jnp.sign(x) * jnp.where(size > 3.0, jnp.log1p(size), size)


def flattened(x, scale):
    energy = jnp.sum(x**2, axis=-1)
    return jnp.where(energy > 1.0, jnp.log1p(energy + jnp.exp(scale)), energy)


def loss(x):
    return jnp.sum(squash(x)) + jnp.sum(flattened(x, 0.5))


gradients = jax.grad(loss)(jnp.array([[0.0, -4.0], [4.0, 1.0]]))
assert jnp.isfinite(gradients).all()
