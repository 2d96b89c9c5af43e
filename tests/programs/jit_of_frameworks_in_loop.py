# category: silent/jit-in-loop
"""Evaluations that make functions of Equinox and Flax NNX once more for each batch."""

import equinox as eqx
import jax
import jax.numpy as jnp
from flax import nnx

traced = []


def error(model, batch):
    traced.append("error")
    return jnp.mean((jax.vmap(model)(batch) - batch) ** 2)


class Evaluator:
    def __init__(self, model):
        self.model = model

    def error(self, batch):
        traced.append("method")
        return jnp.mean((self.model(batch) - batch) ** 2)

    def score(self, batch):
        return nnx.jit(self.error)(batch)  #! OAK307

    def kept(self, batch):
        return eqx.filter_jit(self.error)(batch)


def size_of(batch):
    traced.append("size")
    return jnp.sum(batch**2)


def sizes(batches):
    return [nnx.jit(size_of)(batch) for batch in batches]  #! OAK307


def evaluate(model, batches):
    total = 0.0
    for batch in batches:
        total += eqx.filter_jit(lambda m, b: error(m, b) ** 0.5)(model, batch)  #! OAK307
    return total


def main():
    linear = eqx.nn.Linear(2, 2, key=jax.random.key(0))
    evaluator = Evaluator(nnx.Linear(2, 2, rngs=nnx.Rngs(0)))
    batches = [jnp.ones((3, 2))] * 4
    total = evaluate(linear, batches)
    assert traced == ["error"] * 4
    for batch in batches:
        total += evaluator.score(batch)
    assert traced.count("method") == 4
    for batch in batches:
        total += evaluator.kept(batch)
    assert traced.count("method") == 5
    total += sum(sizes(batches))
    assert traced.count("size") == 4
    return total


print(main())
