# category: clean/shape-mismatch
"""Axes of results and arguments: one number for all, one for each, or None."""

import jax
import jax.numpy as jnp


def step(weights, batch):
    loss = jnp.mean((batch @ weights) ** 2)
    return weights - 0.1 * loss, loss


def count(batch):
    return {"rows": batch.shape[0]}, (batch.sum(), batch.mean())


def shifted(weights, batch, rows, columns):
    return weights + jnp.sum(batch) * rows * columns


batches = jnp.ones((1, 4, 3))
weights = jnp.ones((1, 3))
behind = jax.pmap(shifted, in_axes=(None, 0), static_broadcasted_argnums=(2, 3))
between = jax.pmap(shifted, in_axes=(None, None, 0, 0), static_broadcasted_argnums=(1, 2))
print(behind(weights[0], batches, 4, 3), between(weights[0], 4, 3, weights))
first = jax.pmap(step, "devices", in_axes=(0, 0), out_axes=(0, 0))(weights, batches)
second = jax.pmap(step, "devices", out_axes=0)(weights, batches)
third = jax.vmap(step, (0, None), (0, 0), axis_size=1)(weights, jnp.zeros((4, 3)))[0]
named, (total, mean) = jax.vmap(count, out_axes=(None, 0))(batches)
print(first[1].shape, second[0].shape, third.shape, named["rows"], total, mean)
