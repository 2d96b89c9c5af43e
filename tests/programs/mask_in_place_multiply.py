# category: boolean-mask-index
import jax
import jax.numpy as jnp


@jax.jit
def damp(x):
    x[x > 1.0] *= 0.5  #! OAK213 #~ NonConcreteBooleanIndexError
    return x


damp(jnp.array([0.5, 2.0]))
