# category: clean/jit-in-loop
"""What each iteration compiles is made of what it builds: another network each time."""

import jax
import jax.numpy as jnp


def build(depth):
    def network(x):
        for _ in range(depth):
            x = jnp.tanh(x)
        return x

    return network


def largest_slope(depth):
    network = build(depth)
    slope = jax.jit(jax.vmap(jax.grad(lambda x: network(x))))
    return jnp.max(slope(jnp.linspace(-1.0, 1.0, 5)))


slopes = [largest_slope(depth) for depth in (1, 2, 4)]
print(slopes)
for depth in (1, 3):
    network = build(depth)
    value = jax.jit(lambda x: network(x) + 1.0)
    print(value(jnp.ones(2)))
