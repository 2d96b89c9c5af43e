# category: clean/dtype-mismatch
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Table(NamedTuple):
    rows: jax.Array
    labels: str


tables = {"all": Table(jnp.ones((4, 2)), ";".join(["height", "width"]))}

# A text has the shape of one element.
shapes = jax.tree.map(jnp.shape, tables)
print(shapes, jnp.ndim("height"), jnp.size("height"))
