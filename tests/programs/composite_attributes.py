# category: clean/string-attribute
"""A composite gets its attributes by keyword, as they are."""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.lax.composite, name="example.rounded")
def rounded(x, **attributes):
    digits = 3 if attributes["kind"] == "fine" else 1
    if digits > attributes["least"]:
        return jnp.round(x, digits)
    return x


@jax.jit
def measured(x):
    attributes = {"kind": "fine", "least": 2}
    return rounded(x * 2, **attributes)


print(measured(jnp.linspace(0.0, 1.0, 5)))
