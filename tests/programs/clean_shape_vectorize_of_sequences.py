# category: clean/traced-shape
from functools import partial

import jax.numpy as jnp


@partial(jnp.vectorize, signature="(n),(q),(n)->(q)")
def interpolated(knots, queries, values):
    after = jnp.searchsorted(knots, queries, side="right") - 1
    return values[after] + (queries - knots[after])


def quantile(weights, share):
    return interpolated(jnp.cumsum(weights), (share,), jnp.arange(3.0)).item()


print(quantile(jnp.array([0.2, 0.3, 0.5]), 0.4))
print(interpolated([0.0, 1.0, 2.0], [0.5, 1.5], [3.0, 4.0, 5.0]))
