# category: clean/compiled-in-loop
"""A sweep whose settings the compiled functions read: it is another program for each of them."""

import jax
import jax.numpy as jnp


def configure(config, name):
    return dict(config, NAME=name, LR=0.1 * len(name)), 2 + len(name)


def train(x):
    return rollout(x) * config["LR"]


def rollout(x):
    return jnp.tile(x, (width,))


config = {"LR": 0.0}
for name in ("ant", "hopper"):
    config, width = configure(config, name)
    states = jax.jit(jax.vmap(rollout))(jnp.ones((3, 2)))
    train_all = jax.vmap(train)
    train_all = jax.jit(train_all)
    print(name, states.shape, train_all(jnp.ones((3, 2))).shape)
