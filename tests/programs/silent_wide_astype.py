# category: silent/float64-without-x64
import jax
import jax.numpy as jnp
import numpy as np

DTYPE = "float64"


@jax.jit
def precise(x):
    return jnp.cumsum(x.astype(DTYPE))  #! OAK505


print(precise(jnp.ones(3)), jnp.array([1, 2], dtype=np.int64))  #! OAK505
