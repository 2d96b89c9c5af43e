# category: silent/zero-gradient
"""What is differentiated reads the parameters of an object, and not those that it is given."""

import jax
import jax.numpy as jnp
from flax import linen as nn


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, w, x):
        return jnp.mean((x @ self.w) ** 2)


class State:
    def __init__(self, apply, params):
        self.apply, self.params = apply, params


def train_step(state, x):
    def loss_fn(params):
        predicted = state.apply(state.params, x)
        return jnp.mean(predicted**2), predicted

    return jax.grad(loss_fn, has_aux=True)(state.params)[0]  #! OAK603


model = Model(jnp.ones(3))
gradient = jax.grad(model.loss)(model.w, jnp.eye(3))  #! OAK603
assert (gradient == 0).all()
dense = nn.Dense(2)
gradients = train_step(State(dense.apply, dense.init(jax.random.key(0), jnp.ones(3))), jnp.ones(3))
assert all((leaf == 0).all() for leaf in jax.tree.leaves(gradients))
