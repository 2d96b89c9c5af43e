# category: array-nondiff-argument
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def masked(values, mask):
    return jnp.where(mask, values, 0.0)


@masked.defjvp
def masked_tangents(mask, primals, tangents):
    return masked(primals[0], mask), jnp.where(mask, tangents[0], 0.0)


def step(carry, _):
    values, mask = carry
    return (masked(values, mask) * 2.0, mask), None  #! OAK302


def loss(values, mask):
    (values, _), _ = jax.lax.scan(step, (values, mask), None, length=3)  #~ UnexpectedTracerError
    return values.sum()


print(jax.grad(loss)(jnp.ones(4), jnp.arange(4) > 1))
