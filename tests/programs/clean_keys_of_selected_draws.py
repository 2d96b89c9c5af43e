# category: clean/key-reuse
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def noisy(key, mask, x):
    key, part = jax.random.split(key)
    wide = jax.random.normal(part, x.shape)
    flat = jax.random.uniform(part, x.shape)
    return x + jnp.where(mask, wide, flat)


def perturbed(key, mask, x):
    return lax.select(mask, jax.random.normal(key, x.shape), -jax.random.laplace(key, x.shape))


mask = jnp.arange(4) > 1
print(noisy(jax.random.key(0), mask, jnp.zeros(4)))
print(perturbed(jax.random.key(1), mask, jnp.zeros(4)))
