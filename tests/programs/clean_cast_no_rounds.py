# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp


def refine(values, width):
    level = 0
    while width > 1.0:
        level = jnp.sum(values > width)
        width = width * 0.5
    if width < 0.25:
        level = level + 1
    return values * int(level)


def twice(values):
    count = 0
    while count < 2:
        values = values + count
        count += 1
    return values * float(count)


print(jax.jit(lambda values: refine(values, 0.5))(jnp.arange(6.0)))
print(jax.jit(twice)(jnp.arange(6.0)))
