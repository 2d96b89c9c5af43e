# category: list-index-by-tracer
import itertools

import jax
import jax.numpy as jnp

RULES = {"simpson": (1.0, 4.0, 1.0), "trapezoid": (0.5, 0.5, 0.0)}


def weight(rule, k):
    return RULES[rule][k]  #! OAK206  #~ TracerIntegerConversionError


@jax.jit
def weights(ks):
    return list(itertools.starmap(weight, zip(itertools.repeat("simpson"), ks)))


print(weights(jnp.arange(3)))
