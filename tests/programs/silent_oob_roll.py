# category: silent/oob-index
import jax
import jax.numpy as jnp

LAST = 4


@jax.vmap
def edges(row):
    first = row[-LAST - 1]  #! OAK506
    return first, row.at[LAST].multiply(2.0)  #! OAK506


print(edges(jnp.ones((2, 4))))
