# category: clean/static-of-checked
"""What `checkify` is given is closed over: static arguments of a compiled method stay static."""

import functools

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def without_errors(function):
    checked = checkify.checkify(function)

    @functools.wraps(function)
    def call(*args, **kwargs):
        _, result = checked(*args, **kwargs)
        return result

    return call


class Trainer:
    def __init__(self, width):
        self.width = width

    @without_errors
    @functools.partial(jax.jit, static_argnames=("self", "sizes", "method"))
    def start(self, sizes, *, method=None):
        if method == "zeros":
            return jnp.zeros((*sizes, self.width))
        return jnp.ones((*sizes, self.width))

    @without_errors
    def scale(self, x, factor):
        if factor > 1:
            x = x * factor
        return x


trainer = Trainer(4)
print(trainer.start((2, 3), method="zeros").shape, trainer.scale(jnp.ones(3), 2))
