# category: range-of-tracer
import functools

import jax
import jax.numpy as jnp


def series(x, order):
    terms = (x**k / functools.reduce(lambda a, b: a * b, range(1, k + 1), 1) for k in range(order))  #! OAK205  #~ TracerIntegerConversionError
    return sum(terms)


exp = jax.jit(series)
print(exp(0.5, 4))
