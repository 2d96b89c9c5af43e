# category: shape-mismatch
"""Devices that run a step whose results are a pair, with one axis for the results."""

import jax
import jax.numpy as jnp


def step(weights, batch):
    loss = jnp.mean((batch @ weights) ** 2)
    return weights - 0.1 * loss, loss


def on_devices(weights, batch):
    run = jax.pmap(step, "devices", in_axes=(0, 0), out_axes=(0,))
    return run(weights, batch)  #! OAK501 #~ ValueError


def normalized(rows):
    def centre(row):
        return row - row.mean()

    return jax.vmap(centre, out_axes=(0, 0))(rows)  #! OAK501


def of_one(batch):
    return jax.pmap(jnp.sum, in_axes=(0, 0))(batch)  #! OAK501


def beside_static(weights, rows, batch):
    run = jax.pmap(lambda w, n, b: w + b * n, in_axes=(None, 0), static_broadcasted_argnums=1)
    return run(weights, rows, batch)  #! OAK501


on_devices(jnp.ones((1, 3)), jnp.ones((1, 4, 3)))
