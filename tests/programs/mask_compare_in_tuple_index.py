# category: boolean-mask-index
from functools import partial

import jax
import jax.numpy as jnp


def threshold_columns(x, *, limit):
    col = x[:, 0]
    return x[col > limit, 1:]  #! OAK213 #~ NonConcreteBooleanIndexError


@partial(jax.checkpoint, static_argnums=(1,))
def block(x, name):
    y = threshold_columns(x, limit=0.5)
    return y.sum() if name == "sum" else y.mean()


def model(x):
    return block(x, "sum") + jnp.max(x)


x = jnp.array([[0.0, 1.0], [1.0, 2.0]])
print(threshold_columns(x, limit=0.5))
print(jax.jit(model)(x))
