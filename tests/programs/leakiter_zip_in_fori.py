# category: silent/leak-iterator
import jax
import jax.numpy as jnp
from jax import lax


def weighted_sum(x, weights):
    """Every iteration gets the first weight: the body is traced once."""
    stream = iter(weights)

    def body(i, total):
        w = next(stream)  #! OAK105
        return total + w * x[i]

    return lax.fori_loop(0, x.shape[0], body, 0.0)


print(weighted_sum(jnp.ones(3), [0.5, 0.3, 0.2]))
