# category: hash-of-tracer
from collections import defaultdict

import jax
import jax.numpy as jnp


@jax.jit
def group_means(values, groups):
    buckets = defaultdict(list)
    for value, group in zip(values, groups):
        buckets[group].append(value)  #! OAK216  #~ TypeError
    return {name: sum(items) / len(items) for name, items in buckets.items()}


print(group_means(jnp.arange(3.0), jnp.array([0, 1, 0])))
