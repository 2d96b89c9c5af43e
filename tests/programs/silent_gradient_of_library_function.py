# category: silent/nan-gradient
"""A library selects around a quotient and a root; only its users differentiate its functions."""

import sys

import jax
import jax.numpy as jnp


def saturation(red, green, blue):
    value = jnp.maximum(jnp.maximum(red, green), blue)
    low = jnp.minimum(jnp.minimum(red, green), blue)
    return jnp.where(value > 0.0, (value - low) / value, 0.0)  #! OAK602


def hue(red, green):
    spread = red - green
    inverse = 1.0 / (6.0 * spread)
    angle = jnp.where(red > 0.5, inverse * red, inverse * green)
    return jnp.where(spread > 0.0, angle, 0.0)  #! OAK602


def contrast(image):
    return jnp.sqrt(jnp.maximum(0.0, image))  #! OAK602


def main(names):
    library, black = sys.modules[__name__], jnp.zeros(())
    for name, count in names.items():
        gradient = jax.grad(getattr(library, name))(*[black] * count)
        print(name, gradient)
        assert not jnp.isfinite(gradient)


main({"saturation": 3, "hue": 2, "contrast": 1})
