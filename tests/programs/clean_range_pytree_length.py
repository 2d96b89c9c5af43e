# category: clean/range-of-tracer
import jax
import jax.numpy as jnp


def polyval(coeffs, x):
    """len() of a tracer and enumerate over pytrees are static."""
    total = jnp.zeros_like(x)
    for i in range(len(coeffs)):
        total = total + coeffs[i] * x**i
    for i, row in enumerate(x):
        total = total.at[i].add(0.0 * row)
    for c in coeffs:
        total = total + 0.0 * c
    return total + sum([0.0] * x.shape[0])


print(jax.jit(polyval)(jnp.arange(3.0), jnp.ones(2)))
print(jax.jit(polyval)([1.0, 2.0], jnp.ones(2)))
print(jax.jit(lambda n, x: jax.lax.fori_loop(0, n, lambda i, c: c + x[i], 0.0))(2, jnp.ones(3)))
