# category: non-jax-type-argument
import jax
import jax.numpy as jnp


@jax.jit
def pairs(x, y):
    return list(zip(x, y))


@jax.jit
def first_pairs(x, y):
    return zip(x, y)


x = jnp.ones(3)
pairs(x, x)
first_pairs(x, x)  #! OAK305 #~ TypeError
