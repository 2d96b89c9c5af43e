# category: clean/static-argument-of-combined-module
# Sizes that are not known here are integers: partitioned by `is_array` they stay in the static part.
import json

import equinox as eqx
import jax
import jax.numpy as jnp


class Policy(eqx.Module):
    layer: eqx.nn.Linear
    actions: int
    extra: int

    def __init__(self, actions, extra, key):
        self.actions = actions
        self.extra = extra
        self.layer = eqx.nn.Linear(3, actions + 1, key=key)

    def __call__(self, x):
        logits, flow = jnp.split(self.layer(x), [self.actions])
        return logits, flow, jnp.zeros(self.extra)


config = json.loads('{"actions": 2, "extra": 1}')
model = Policy(config["actions"], config["extra"], jax.random.key(0))
params, static = eqx.partition(model, eqx.is_array)


@eqx.filter_jit
def step(model, x):
    def loss(model):
        return model(x)[0].sum()

    return eqx.filter_value_and_grad(loss)(model)


@jax.jit
def wrapped(params):
    model = eqx.combine(params, static)
    value, grads = step(model, jnp.ones(3))
    return value, eqx.filter(grads, eqx.is_array)


print(wrapped(params))
