# category: python-branch-on-tracer
import itertools

import jax
import jax.numpy as jnp


def columns(x, header):
    """One slice for each word: how many there are is not seen."""
    found = []
    for place, _ in enumerate(header.split()):
        found.append(x[place])
    return found


@jax.jit
def crossing(x):
    for first, second in itertools.combinations(columns(x, "a b c"), 2):
        if first > second:  #! OAK201 12 #~ TracerBoolConversionError
            return first
    return x[0]


@jax.jit
def steps(x):
    for before, after in itertools.pairwise(columns(x, "a b c")):
        if after > before:  #! OAK201
            return after
    return x[0]


@jax.jit
def gridded(x):
    for sign, value in itertools.product((1.0, -1.0), columns(x, "a b c")):
        # The sign is a number, and the value is not.
        if sign < 0:
            return bool(value > 0)  #! OAK204
    return False


@jax.jit
def filled(x):
    for value, other in itertools.zip_longest(columns(x, "a b"), (1, 2, 3), fillvalue=x[0]):
        if value > 0:  #! OAK201
            return value
    return x[0]


@jax.jit
def leading(x):
    for value in itertools.islice(columns(x, "a b c"), 2):
        if value > 0:  #! OAK201
            return value
    return x[0]


@jax.jit
def ordered(x):
    for triple in itertools.permutations(columns(x, "a b c"), 3):
        if triple[0] + triple[1] > triple[2]:  #! OAK201
            return triple[0]
    return x[0]


for function in (crossing, steps, gridded, filled, leading, ordered):
    print(function(jnp.arange(3.0)))
