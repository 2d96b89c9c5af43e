# category: clean/carry-mismatch
"""Numbers that filters take out are not there, so no branch is of another type."""

import itertools

import jax
import jax.numpy as jnp

WIDTHS = [3, 0, 2]
SCALES = [1.0, 2.0, 3, 4.0]


def is_fraction(number):
    return isinstance(number, float)


@jax.jit
def blur(x, mode):
    for width in filter(None, WIDTHS):
        x = jax.lax.switch(mode, [lambda x: 6 // width, lambda x: 3], x)
    for scale in itertools.takewhile(is_fraction, SCALES):
        y = jax.lax.cond(mode > 0, lambda: scale, lambda: 1.0)
    (_, _) = itertools.dropwhile(is_fraction, SCALES)
    (_,) = itertools.filterfalse(is_fraction, SCALES)
    return x + y


print(blur(jnp.ones(()), 1))
