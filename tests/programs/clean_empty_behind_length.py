# category: clean/list-index-by-tracer
"""The first of several is read where there are any: `x is not NotImplemented and len(x)`."""

import jax
import jax.numpy as jnp


class Group:
    generators = NotImplemented

    def __init__(self, size):
        if self.generators is NotImplemented:
            self.generators = jnp.zeros((0, size, size))

    def width(self):
        if self.generators is not NotImplemented and len(self.generators):
            return self.generators[0].shape[-1]
        return 0


@jax.jit
def first(rows):
    none = jnp.zeros((0, 2))
    if rows is not NotImplemented and len(none):
        return none[0]
    return rows[0]


print(Group(3).width(), first(jnp.ones((2, 2))))
