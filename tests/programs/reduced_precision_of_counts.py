# category: shape-mismatch
import jax
import jax.numpy as jnp


def rounded(counts):
    return jax.lax.reduce_precision(counts, 5, 10)  #! OAK502 #~ TypeError


rounded(jnp.arange(6))
