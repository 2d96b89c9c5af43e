# category: clean/flax
"""`nnx.scan` hands out slices along `in_axes`, and a carry that has the shape it had."""

import jax
import jax.numpy as jnp
from flax import nnx


def step(carry, kernel, update):
    kernel = jax.lax.dynamic_update_slice(kernel, update, (0, 0))
    return carry + kernel.sum(axis=0), kernel


@nnx.scan(in_axes=(nnx.Carry, 0), out_axes=(nnx.Carry, 0))
def total(carry, row):
    return carry + jnp.stack([row, row]).sum(), row[0]


def run(x, kernels, updates):
    axes = (nnx.Carry, 0)
    return nnx.scan(step, in_axes=(nnx.Carry, 0, 0), out_axes=axes)(x, kernels, updates)


carry, kernels = run(jnp.zeros(4), jnp.ones((2, 3, 4)), jnp.ones((2, 1, 4)))
print((carry + jnp.ones(4)).shape, carry[0], (kernels + jnp.ones((2, 3, 4))).shape)
print(total(jnp.zeros(()), jnp.ones((3, 2))))
