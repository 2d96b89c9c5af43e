# category: dynamic-shape-op
from functools import partial

import jax
import jax.numpy as jnp


def expand(values, counts, **options):
    return jnp.repeat(values, counts, **options)  #! OAK210  #~ ConcretizationTypeError


@partial(jax.jit, donate_argnums=())
def holding_times(key, states):
    counts = jax.random.poisson(key, 2.0, states.shape)
    return expand(states, counts).sum()


print(holding_times(jax.random.key(0), jnp.arange(4.0)))
