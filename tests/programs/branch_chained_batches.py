# category: python-branch-on-tracer
import itertools
from itertools import chain, cycle as again

import jax
import jax.numpy as jnp


def pieces(x, sizes):
    """As many slices as there are sizes: their number is not seen here."""
    found = []
    for size in sizes:
        found.append(x[:size].sum())
    return found


@jax.jit
def first_positive(x, y):
    sizes = [int(text) for text in "3 2 1".split()]
    for total in chain(pieces(x, sizes), pieces(y, sizes)):
        if total > 0:  #! OAK201 12 #~ TracerBoolConversionError
            return total
    return jnp.zeros(())


@jax.jit
def alternate(x):
    signs = itertools.cycle([1.0, -1.0])
    taken = [next(signs) for _ in range(3)]
    # The third sign is there, and it is the first one: a cycle has no end.
    if taken[2:] and x.sum() > 0:  #! OAK201
        return x * taken[2]
    return x


@jax.jit
def by_turns(x):
    for row, weight in zip((0, 1, 2), again((x[0], x[1]))):
        if row == 2:
            return float(weight)  #! OAK204
    return 0.0


@jax.jit
def loudest(x):
    rows = [[float(word)] for word in "2 3".split()]
    for level in chain([1.0], *rows):
        # The first level is not all there are.
        if level > 1.0:
            return float(x[0])  #! OAK204
    return 0.0


for function, arguments in (
    (first_positive, (-jnp.ones(3), jnp.ones(3))),
    (alternate, (jnp.ones(3),)),
    (by_turns, (jnp.ones(3),)),
    (loudest, (jnp.ones(3),)),
):
    print(function(*arguments))
