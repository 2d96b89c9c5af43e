# category: non-jax-type-argument
import jax
import jax.numpy as jnp


@jax.jit
def doubled(rows):
    return [2 * row for row in rows]


x = jnp.ones(3)
doubled(tuple(row for row in x))
doubled([row for row in x])
doubled(row for row in x)  #! OAK305 #~ TypeError
