# category: clean/static-mutated
# What asks an array for its length, or for another one of its form, is not stale.
import jax
import jax.numpy as jnp

table = jnp.zeros(3)


@jax.jit
def spread(x):
    return x / len(table)


@jax.jit
def padded(x):
    return x + jnp.zeros_like(table)


print(spread(6.0), padded(1.0))
table = table + 1
print(spread(6.0), padded(1.0))
