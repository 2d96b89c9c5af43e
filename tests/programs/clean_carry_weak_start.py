# category: clean/carry-type-mismatch
import jax
import jax.numpy as jnp


def body(carry, x):
    total, seen = carry
    return (total + x, seen | (x > 1)), None


def last(carry, x):
    return x, carry


print(jax.lax.scan(body, (0, False), jnp.arange(3.0)))
print(jax.lax.scan(last, jnp.zeros(2), jnp.ones((3, 2))))
print(jax.lax.cond(True, lambda x: x * 2, lambda x: -x, jnp.ones(2)))
