# category: python-loop-on-tracer
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Search(NamedTuple):
    low: jax.Array
    high: jax.Array

    @property
    def width(self):
        return self.high - self.low

    @property
    def middle(self):
        return 0.5 * (self.low + self.high)

    def narrowed(self, right):
        return Search(jnp.where(right, self.middle, self.low), jnp.where(right, self.high, self.middle))


def bisect(f, search):
    while search.width > 1e-2:  #! OAK202  #~ TracerBoolConversionError
        search = search.narrowed(f(search.middle) < 0)
    return search.middle


solve = jax.jit(bisect, static_argnums=0)
print(solve(lambda x: x**2 - 2.0, Search(jnp.array(0.0), jnp.array(2.0))))
