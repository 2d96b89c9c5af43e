# category: python-branch-on-tracer
from functools import reduce

import jax
import jax.numpy as jnp


class Interval:
    """Validates itself in the constructor, which also runs when a transform rebuilds it."""

    def __init__(self, lo, hi):
        self._check(lo, hi)
        self.lo, self.hi = lo, hi

    @staticmethod
    def _check(lo, hi):
        if lo > hi:  #! OAK201 12 #~ TracerBoolConversionError
            raise ValueError("empty interval")

    def __add__(self, other):
        return Interval(self.lo + other.lo, self.hi + other.hi)


jax.tree_util.register_pytree_node(
    Interval,
    lambda iv: ((iv.lo, iv.hi), None),
    lambda _, children: Interval(*children),
)


def width(interval):
    return interval.hi - interval.lo


total = reduce(lambda a, b: a + b, [Interval(0.0, 1.0), Interval(-1.0, 2.0)])
print(width(total))
print(jax.jit(width)(total))
