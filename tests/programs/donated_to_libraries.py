# category: use-after-donate
"""The old weights are handed to functions that read them, and to some that ask for shapes alone."""

import pickle
from functools import partial

import jax
import jax.numpy as jnp
import optax

optimizer = optax.sgd(0.1)


@partial(jax.jit, donate_argnums=0)
def shrunk(weights):
    return jax.tree.map(lambda w: 0.9 * w, weights)


def moved():
    weights = {"kernel": jnp.ones((2, 2)), "bias": jnp.ones(2)}
    return weights, shrunk(weights)


old, new = moved()
print(jax.tree.structure(old), jax.tree.map(jnp.shape, old))
state = optimizer.init(old)
updates, state = optimizer.update(new, state, old)
start = optax.tree.zeros_like(old)
print("norm", optax.global_norm(old))  #! OAK701 #~ RuntimeError
print(old)  #! OAK701
saved = pickle.dumps(old)  #! OAK701
on_host = jax.device_get(old)  #! OAK701
stepped = optax.apply_updates(old, updates)  #! OAK701
mixed = optax.incremental_update(new, old, 0.5)  #! OAK701
errors = optax.l2_loss(old["bias"], new["bias"])  #! OAK701
