# category: clean/traced-shape
import jax
import jax.numpy as jnp
from flax import nnx

scale_initializer = nnx.initializers.ones
matrix_initializer = nnx.initializers.xavier_normal()


def created(key, shape, dtype=jnp.float32):
    initializer = scale_initializer if len(shape) == 1 else matrix_initializer
    compiled = jax.jit(initializer, static_argnames=("shape", "dtype"))
    return compiled(key, shape, dtype)


print(created(jax.random.key(1), (3,)), created(jax.random.key(2), (2, 3)).shape)
