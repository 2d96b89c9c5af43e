# category: hash-of-tracer
from collections import Counter

import jax
import jax.numpy as jnp


def majority(votes):
    """Most common vote of an ensemble."""
    tally = Counter(votes)  #! OAK216 #~ TypeError
    return tally.most_common(1)[0][0]


def ensemble(params, x):
    votes = [jnp.argmax(x @ w) for w in params]
    return majority(votes)


params = [jnp.eye(2), jnp.eye(2)[::-1], jnp.eye(2)]
print(majority([1, 0, 1]))
print(jax.vmap(ensemble, in_axes=(None, 0))(params, jnp.array([[1.0, 0.0], [0.0, 2.0]])))
