# category: clean/narrow-product
"""The products of `lax` take operands of different narrow types, which are not promoted."""

import jax
import jax.numpy as jnp


@jax.jit
def quantized(activations, weights):
    batched = jax.lax.batch_matmul(activations, weights)
    numbers = (((2,), (1,)), ((0,), (0,)))
    general = jax.lax.dot_general(activations, weights, numbers, preferred_element_type=jnp.int32)
    return batched.astype(jnp.int32) + general


print(quantized(jnp.ones((2, 3, 4), jnp.int4), jnp.ones((2, 4, 3), jnp.int8)))
