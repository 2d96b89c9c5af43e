# category: clean/key-reuse
# Each round has a key of its own, also where what it carries changes its type or derivative.
import jax
import jax.numpy as jnp
import numpy as np


def sample(key, logits, count):
    def draw(logits, key):
        chosen = jax.random.categorical(key, logits, axis=-1)
        mask = jax.nn.one_hot(chosen, logits.shape[-1], dtype=jnp.bool_)
        return jnp.where(mask, -1e10, logits), chosen

    return jax.lax.scan(draw, logits, jax.random.split(key, count))[1]


def walk(scale, key):
    def step(carry, key):
        place, hits = carry
        place = place + scale * jax.random.normal(key)
        return (place, hits + (place > 0.0)), place

    return jax.lax.scan(step, (0.0, 0), jax.random.split(key, 4))[0][0]


print(jax.jit(sample, static_argnums=2)(jax.random.key(0), jnp.ones((2, 5)), 3))
print(sample(jax.random.key(1), np.ones((2, 5), np.float32), 3))
print(jax.grad(walk)(1.0, jax.random.key(2)))
