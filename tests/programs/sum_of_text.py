# category: dtype-mismatch
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Table(NamedTuple):
    rows: jax.Array
    labels: str


tables = {"all": Table(jnp.ones((4, 2)), ";".join(["height", "width"]))}

totals = jax.tree.map(jnp.sum, tables)  #! OAK502 #~ TypeError
print(totals)
