# category: clean/array-nondiff-argument
from functools import partial

import jax
import jax.numpy as jnp


@jax.custom_jvp
def masked(values, mask):
    return jnp.where(mask, values, 0.0)


@masked.defjvp
def masked_tangents(primals, tangents):
    values, mask = primals
    return masked(values, mask), jnp.where(mask, tangents[0], 0.0)


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def clipped(values, limit):
    return jnp.clip(values, -limit, limit)


@clipped.defjvp
def clipped_tangents(limit, primals, tangents):
    return clipped(primals[0], limit), jnp.where(jnp.abs(primals[0]) < limit, tangents[0], 0.0)


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def rounded(values, digits):
    return jnp.round(values * digits) / digits


@rounded.defjvp
def rounded_tangents(digits, primals, tangents):
    return rounded(primals[0], 10.0), tangents[0]


def step(carry, _):
    values, mask = carry
    return (masked(values, mask) * 2.0, mask), None


def loss(values, mask):
    (values, _), _ = jax.lax.scan(step, (values, mask), None, length=3)
    return values.sum()


@jax.jit
def slopes(values, limit):
    return jax.grad(lambda values: clipped(values, limit).sum())(values)


def slope_in_loop(values, limits):
    def body(values, limit):
        return values - jax.grad(lambda v: clipped(v, limit).sum())(values), None

    return jax.lax.scan(body, values, limits)[0]


print(jax.grad(loss)(jnp.ones(4), jnp.arange(4) > 1))
print(slopes(jnp.ones(4), 0.5))
print(slope_in_loop(jnp.ones(4), jnp.ones(2)))
