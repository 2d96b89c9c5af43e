# category: clean/scalar-cast-of-tracer
import math

import jax
import jax.numpy as jnp


def direction(x):
    # The slope of a norm is a constant wherever it is taken: nothing hangs on `x`.
    slope = jax.grad(abs)(x)
    return x * (0.0 if math.isnan(slope) else 1.0)  #? OAK204


print(direction(2.0))
print(jax.jacfwd(direction)(2.0))
