# category: clean/jit-in-loop
from functools import partial

import jax
import jax.numpy as jnp


def make_init(model, name):
    @partial(jax.jit, backend="cpu")
    def init(key):
        return {name: model(key)}

    return init


models = {
    "linear": lambda key: jax.random.normal(key, (2,)),
    "wide": lambda key: jax.random.normal(key, (4,)),
}
keys = jax.random.split(jax.random.key(0), len(models))
params = {name: make_init(models[name], name=name)(key) for name, key in zip(models, keys)}
print(params)
