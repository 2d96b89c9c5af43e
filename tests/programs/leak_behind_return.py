# category: leak-append
from contextlib import contextmanager

import jax
import jax.numpy as jnp

SEEN = []
TRACE = []


@contextmanager
def recording(name):
    notes = []
    yield notes.append
    TRACE.append((name, notes))  #! OAK101


class Kept:
    last = []

    def __enter__(self):
        self.values = []
        return self.values

    def __exit__(self, *error):
        Kept.last.append(self.values)  #! OAK101


@jax.jit
def attention(query, key):
    with recording("weights") as note:
        weights = jax.nn.softmax(query @ key.T)
        note(weights)
        return weights @ key


@jax.jit
def halved(x):
    with Kept() as values:
        values.append(x * 0.5)
        return x * 0.5


@jax.jit
def magnitude(x):
    y = jnp.sin(x)
    try:
        return jnp.abs(y)
    finally:
        SEEN.append(y)  #! OAK101


x = jnp.ones((2, 3))
attention(x, x)
halved(x)
magnitude(x)
print(sum(y.sum() for y in SEEN))  #~ UnexpectedTracerError
