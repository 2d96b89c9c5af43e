# category: clean/traced-static-argument
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("k", "largest"))
def best(scores, *, k, largest=True):
    if not largest:
        scores = -scores
    return jax.lax.top_k(scores, k)[0]


scores = jnp.array([0.3, 0.1, 0.9])
shape = jax.eval_shape(best, scores, k=2, largest=False).shape
print(shape, best(scores, k=2), jnp.zeros(shape) + 1.0)
