# category: grad-type
import jax
import jax.numpy as jnp


@jax.grad
def doubled(w):
    return w * 2


def run(weights):
    return doubled(weights)  #! OAK601 #~ TypeError


run(jnp.arange(3.0))
