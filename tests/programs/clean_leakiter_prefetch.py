# category: clean/leak-iterator
import itertools

import jax
import jax.numpy as jnp
import numpy as np


def loader(n, batch):
    rng = np.random.default_rng(0)
    for _ in range(n):
        yield rng.normal(size=(batch, 2)).astype(np.float32)


@jax.jit
def train_step(w, batch):
    names = iter(sorted(w))
    first = next(names)
    grads = jax.grad(lambda p: jnp.mean((batch @ p[first]) ** 2))(w)
    return {k: v - 0.1 * g for (k, v), g in zip(w.items(), (grads[k] for k in w))}


def train(w, data, epochs=2):
    data = iter(data)
    for epoch, batch in zip(range(epochs), data):
        w = train_step(w, batch)
    leftover = next(data, None)
    return w if leftover is None else train_step(w, leftover)


print(train({"w": jnp.ones(2)}, itertools.chain(loader(3, 4), loader(1, 4))))
