# category: carry-mismatch
"""What filters of known numbers leave is known one by one: branches give an int and a float."""

import itertools

import jax
import jax.numpy as jnp

WIDTHS = [3, 0, 2.0]


def is_small(number):
    return number < 3


@jax.jit
def blur(x, mode):
    (last,) = itertools.takewhile(is_small, [1, 5, 2])
    rest = tuple(itertools.dropwhile(is_small, [1, 5, 2]))
    assert (last, rest) == (1, (5, 2))
    for large in itertools.filterfalse(is_small, WIDTHS):
        x = x * large
    for width in filter(None, WIDTHS):
        x = jax.lax.switch(mode, [lambda x: width, lambda x: 3], x)  #! OAK504 #~ TypeError
    return x


blur(jnp.ones(()), 1)
