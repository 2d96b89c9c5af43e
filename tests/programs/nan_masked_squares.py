# category: nan-gradient
"""Missing observations are NaN, and masked behind the square: the gradient is NaN all the same."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return params["slope"] * x + params["offset"]


def loss(params, x, observed):
    residual = predict(params, x) - observed
    missing = jnp.isnan(observed)
    return jnp.mean(jnp.where(missing, 0.0, (predict(params, x) - observed) ** 2)) + jnp.sum(  #! OAK602
        jnp.where(missing, 0.0, residual)
    )


params = {"slope": jnp.ones(()), "offset": jnp.zeros(())}
gradient = jax.grad(loss)(params, jnp.arange(3.0), jnp.array([0.0, jnp.nan, 2.0]))
assert jnp.isnan(gradient["slope"])
