# category: sequence-to-jnp-function
import jax
import jax.numpy as jnp


def floor_at(x, bounds):
    return jnp.maximum(x, bounds)  #! OAK503 #~ TypeError


LIMITS = (0.0, 1.0)
jax.jit(lambda x: floor_at(x, LIMITS))(jnp.ones(2))
