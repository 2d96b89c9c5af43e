# category: silent/jit-in-loop
"""One optimizer compiles its gradient at each of many calls."""

import jax
import jax.numpy as jnp


class Ascent:
    def __init__(self, log_density, rate):
        self.log_density = log_density
        self.rate = rate

    def __call__(self, x):
        def height(x):
            return self.log_density(x)

        return self.climb(height, x)

    def climb(self, objective, x):
        slope = jax.jit(jax.grad(objective))  #! OAK307
        return x + self.rate * slope(x)


def bump(x):
    return jnp.exp(-x * x)


ascent = Ascent(bump, 0.1)
x = jnp.ones(())
for _ in range(30):
    x = ascent(x)
print(x)
