# category: clean/leak-append
from contextlib import contextmanager

import jax
import jax.numpy as jnp

STACK = []
OPEN = []
DONE = []


@contextmanager
def scope(value):
    STACK.append(value)
    try:
        yield value
    finally:
        STACK.pop()


class Layer:
    def __enter__(self):
        OPEN.append(self)
        return self

    def __exit__(self, *error):
        OPEN.clear()


@jax.jit
def scaled(x):
    with scope(x * 2), Layer():
        return jnp.sin(x)


@jax.jit
def shifted(x):
    STACK.append(x)
    try:
        return x + 1
    finally:
        STACK.clear()
        DONE.append("shifted")


print(scaled(jnp.ones(2)), shifted(jnp.ones(3)))
print(len(STACK), DONE)
