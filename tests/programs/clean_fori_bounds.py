# category: clean/range-of-tracer
import jax
import jax.numpy as jnp


@jax.jit
def powers(matrix, exponent):
    product = jax.lax.fori_loop(0, exponent, lambda _, m: m @ matrix, jnp.eye(len(matrix)))
    parts = [product[i] for i in range(len(matrix))]
    return sum(parts), [k for k, _ in zip(range(5), parts)]


print(powers(jnp.eye(2) * 2, 3))
