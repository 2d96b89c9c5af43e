# category: clean/scalar-cast-of-tracer
from functools import partial

import jax
import jax.numpy as jnp


def butterworth(order, cutoff):
    poles = [complex(-math_sin(k, order), 1.0) for k in range(order)]
    return float(cutoff) * sum(abs(p) for p in poles)


def math_sin(k, order):
    import math

    return math.sin(math.pi * (2 * k + 1) / (2 * order))


@partial(jax.jit, static_argnums=(1, 2))
def smooth(signal, order, cutoff):
    return signal * butterworth(int(order), cutoff)


print(smooth(jnp.ones(3), 2, 0.5))
