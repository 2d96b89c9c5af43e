# category: clean/jit-in-loop
"""Functions of Equinox and Flax NNX that loops find again: made once, or by what compares equal."""

import equinox as eqx
import jax
import jax.numpy as jnp
from flax import nnx

traced = []


@eqx.filter_value_and_grad
def error(model, batch):
    traced.append("error")
    return jnp.mean((jax.vmap(model)(batch) - batch) ** 2)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.step = nnx.jit(self.update, static_argnames="scale")

    def update(self, batch, scale):
        traced.append("update")
        return scale * jnp.mean(self.model(batch))

    def train_step(self, batch):
        return eqx.filter_jit(error)(self.model, batch)


def main():
    trainer = Trainer(eqx.nn.Linear(2, 2, key=jax.random.key(0)))
    total = jnp.zeros(())
    for batch in [jnp.ones((3, 2))] * 4:
        total += trainer.train_step(batch)[0]
        total += eqx.filter_jit(trainer.train_step)(batch)[0]
    assert traced == ["error"]
    dense = Trainer(nnx.Linear(2, 2, rngs=nnx.Rngs(0)))
    for batch in [jnp.ones((3, 2))] * 4:
        total += dense.step(batch, scale=2)
    assert traced.count("update") == 1
    return total


print(main())
