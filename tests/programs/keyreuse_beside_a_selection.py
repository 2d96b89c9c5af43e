# category: silent/key-reuse
import jax
import jax.numpy as jnp


def jump(key, x, scale):
    step = jax.random.uniform(key, x.shape)
    accept = jax.random.uniform(key, x.shape)  #! OAK401
    return jnp.where(accept < 0.5, x + scale * step, x)


moved = jump(jax.random.key(0), jnp.zeros(200), 0.1)
assert moved.max() < 0.05
