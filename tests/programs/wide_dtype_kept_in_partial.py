# category: silent/float64-without-x64
"""The dtype stands where the function is prepared, and is asked for where it is called."""

from functools import partial

import jax
import jax.numpy as jnp

exact_zeros = partial(jnp.zeros, dtype=jnp.float64)
PRECISE = {"dtype": jnp.float64, "fill_value": 0.5}


class Grid:
    axis = partial(jnp.linspace, 0.0, 1.0, dtype="float64")

    def __init__(self, points):
        self.points = self.axis(points)  #! OAK505


@partial(jax.jit, static_argnums=0)
def halves(count):
    return jnp.full((count,), **PRECISE)  #! OAK505


total = exact_zeros((7,))  #! OAK505
widened = jax.tree.map(partial(jnp.asarray, dtype="float64"), {"w": [0.1] * 7})  #! OAK505
print(total.dtype, Grid(7).points.dtype, halves(7).dtype, widened["w"][0].dtype)
assert {total.dtype, Grid(7).points.dtype, halves(7).dtype} == {jnp.dtype("float32")}
