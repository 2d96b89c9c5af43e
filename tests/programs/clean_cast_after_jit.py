# category: clean/scalar-cast-of-tracer
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Metrics(NamedTuple):
    loss: jax.Array
    accuracy: jax.Array

    def as_floats(self):
        return {k: float(v) for k, v in self._asdict().items()}


@jax.jit
def evaluate(w, x, y):
    logits = x @ w
    hits = (logits.argmax(-1) == y).astype(float)
    return Metrics(jnp.square(logits).mean(), hits.mean())


def early_stop(history, patience=2):
    best = min(range(len(history)), key=lambda i: history[i]["loss"])
    return len(history) - best > patience


w, history = jnp.eye(2), []
for epoch in range(4):
    m = evaluate(w * (epoch + 1), jnp.ones((4, 2)), jnp.zeros(4, int))
    history.append(m.as_floats())
    if early_stop(history) or bool(m.accuracy < 0.1):
        print("stopped at", epoch, int(m.loss))
        break
