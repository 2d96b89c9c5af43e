# category: clean/dtype-mismatch
"""The results of a function, passed back as cotangents: that of an integer is not read."""

import jax
import jax.numpy as jnp


def model(x):
    return 2.0 * x, jnp.argmax(x), x > 0


results, pullback = jax.vjp(model, jnp.arange(3.0))
gradient = pullback(results)
