# category: clean/shape-mismatch
"""Which of two states it is, an array or a pair, the kind of the matrix decides."""

from importlib import import_module

import jax
import jax.numpy as jnp
import optax


def dense(matrix):
    def init(_):
        return jnp.array(0)

    def update(gradients, state, params=None):
        return gradients, state + 1

    return optax.GradientTransformation(init, update)


def streaming(matrix):
    def init(_):
        return jnp.ones(()), matrix.begin()

    def update(gradients, state, params=None):
        scale, buffer = state
        return gradients * scale, (scale, buffer + 1)

    return optax.GradientTransformation(init, update)


def transformation(matrix):
    if isinstance(matrix, jax.typing.ArrayLike):
        made = dense
    else:
        made = streaming
    return made(matrix)


def run(chosen, gradients):
    first = chosen.init(gradients)
    _, second = chosen.update(gradients, first)
    return first, second


matrices = import_module("".join(["mat", "rices"]))
for state in run(transformation(matrices.Streaming(3)), jnp.ones(3)):
    scale, buffer = state
    print(scale, buffer.shape)
