# category: clean/function-as-operand
"""One branch of a `cond` is a function of JAX, with two operands."""

import jax
import jax.numpy as jnp


@jax.jit
def value(is_valid, items, prices):
    return jax.lax.cond(is_valid, jnp.dot, lambda *_: jnp.array(0.0), items, prices)


print(value(True, jnp.ones(3), jnp.arange(3.0)))
print(jax.lax.cond(False, jnp.ones(3), jnp.sum, 2.0, jnp.cos))
