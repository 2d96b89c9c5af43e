# category: clean/leak-append
import collections

import jax
import jax.numpy as jnp

losses = collections.deque(maxlen=3)
archive = {}


@jax.jit
def update(w):
    value, g = jax.value_and_grad(lambda u: jnp.sum(jnp.cos(u)))(w)
    return w + 0.1 * g, value


def train(w, steps, on_step):
    for step in range(steps):
        w, value = update(w)
        on_step(step, value)
    return w


def remember(step, value):
    losses.append(value)
    archive[step] = value


train(jnp.ones(2), 4, remember)
print(sum(losses) / len(losses), max(archive.values()))
