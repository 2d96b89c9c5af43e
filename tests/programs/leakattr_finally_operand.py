# category: leak-attribute
"""A value is kept for a report; whatever happens, the `finally` still computes with it."""

import jax
import jax.numpy as jnp


class Report:
    norm = None


def describe(gradient):
    norm = jnp.linalg.norm(gradient)
    try:
        Report.norm = norm  #! OAK103
        scaled = gradient / norm
    finally:
        limit = jnp.maximum(norm, 1.0)
    return scaled * limit


print(jax.jit(describe)(jnp.ones(4)))
print(Report.norm + 1)  #~ UnexpectedTracerError
