# category: clean/non-jax-type-argument
import functools
from collections.abc import Callable

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from flax.training.train_state import TrainState


class Gate(eqx.Module):
    linear: eqx.nn.Linear
    norm: eqx.nn.LayerNorm
    activation: Callable = eqx.field(static=True)

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 3, key=key)
        self.norm = eqx.nn.LayerNorm(3)
        self.activation = jax.nn.relu

    def __call__(self, x):
        return self.activation(self.norm(self.linear(x)))


@jax.jit
def call(model, x):
    return model(x)


@functools.partial(jax.jit, static_argnames="model")
def apply(model, variables, x):
    return model.apply(variables, x)


@jax.jit
def step(state, x):
    gradient = jax.grad(lambda p: jnp.mean(state.apply_fn(p, x) ** 2))(state.params)
    return state.apply_gradients(grads=gradient)


x = jnp.ones(3)
first, second, third, fourth = jax.random.split(jax.random.key(0), 4)
print(call(Gate(first), x), call(eqx.nn.GroupNorm(1, 3), x))

mlp = eqx.nn.MLP(3, 2, 8, 1, key=second)
arrays, others = eqx.partition(mlp, eqx.is_array)
print(eqx.filter_jit(lambda model, x: model(x))(mlp, x))
print(jax.jit(lambda arrays, x: eqx.combine(arrays, others)(x))(arrays, x))
print(jax.jit(lambda model: jax.tree.leaves(model)[0])(eqx.filter(mlp, eqx.is_array)))

dense = nn.Dense(2)
variables = dense.init(third, x)
print(apply(dense, variables, x), call(nnx.Linear(3, 2, rngs=nnx.Rngs(fourth)), x))
print(step(TrainState.create(apply_fn=dense.apply, params=variables, tx=optax.sgd(0.1)), x).step)
