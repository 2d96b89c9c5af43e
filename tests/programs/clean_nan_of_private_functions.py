# category: clean/nan-gradient
"""Functions of a library that its users differentiate, and that keep off the edges."""

import sys

import jax
import jax.numpy as jnp


def correlation(first, second):
    first_variance = jnp.maximum(1e-6, first - 1.0)
    second_variance = jnp.maximum(1e-6, second - 1.0)
    return jnp.sqrt(first_variance * second_variance)


def weighted(values, factors):
    return jnp.maximum(values, 0.0) * jnp.maximum(factors, 0.0) ** 2


def distances(offsets):
    squared = jnp.sum(offsets * offsets, axis=-1)
    return jnp.sqrt(jnp.where(squared > 1.0, squared, 0.0))


def _slopes(steps):
    flat = steps == 0.0
    return jnp.where(flat, 0.0, 1.0 / jnp.where(flat, 1.0, steps))


@jax.jit
def _logarithms(steps):
    return jnp.log(jnp.where(steps > 0.0, steps, 1.0))


METHODS = {"slopes": _slopes, "logarithms": _logarithms}


def call(name):
    return METHODS.get(name) or getattr(sys.modules[__name__], name)


zeros = jnp.zeros(2)
for name, arguments in {
    "correlation": (zeros, zeros),
    "weighted": (zeros, zeros),
    "slopes": (zeros,),
    "logarithms": (zeros,),
}.items():
    _, pullback = jax.vjp(call(name), *arguments)
    assert not jnp.isnan(jnp.asarray(pullback(jnp.ones_like(arguments[0])))).any(), name
assert not jnp.isnan(jax.grad(lambda x: call("distances")(x).sum())(jnp.zeros((2, 3)))).any()
