# category: python-branch-on-tracer
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def nearest(points):
    best = jnp.inf
    for a, b in itertools.combinations(points, 2):
        best = jnp.minimum(best, jnp.linalg.norm(a - b))
    for index, (a, b) in enumerate(itertools.pairwise(points)):
        if (a * b).sum() > index:  #! OAK201 #~ TracerBoolConversionError
            best = best + index
    return best


@jax.jit
def running(values):
    total = list(itertools.accumulate(values, lambda a, b: a * 0.9 + b))[-1]
    return float(total)  #! OAK204


@jax.jit
def leading(values):
    return list(itertools.takewhile(lambda v: v > 0, values))  #! OAK203


print(nearest(jnp.arange(6.0).reshape(3, 2)))
print(running(jnp.arange(3.0)))
print(leading(jnp.arange(3.0)))
