# category: clean/python-branch-on-tracer
import itertools

import jax
import jax.numpy as jnp


@jax.jit
def interactions(points):
    total = jnp.zeros(())
    for i, j in itertools.product(range(len(points)), repeat=2):
        if i < j:
            total = total + jnp.dot(points[i], points[j])
    for (i, a), (j, b) in itertools.permutations(enumerate(points), 2):
        if i > j:
            total = total - jnp.dot(a, b)
    for size, row in itertools.zip_longest((1, 2), points, fillvalue=0):
        total = total + row.sum() * size if size else total
    ends = list(itertools.accumulate([2, 3, 4], lambda a, b: a + b, initial=0))
    kept = itertools.takewhile(lambda end: end < 6, ends)
    for start in itertools.islice(kept, 1, None):
        total = total + start
    return total


print(interactions(jnp.arange(6.0).reshape(3, 2)))
