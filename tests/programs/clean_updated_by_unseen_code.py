# category: clean/leak-attribute
"""Trainers that set the state of a model outside of the step, or what no tracer has made."""

import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, model):
        self.model = model
        self.count = 0
        self.step = jax.jit(self._step)

    def _step(self, state, batch):
        state, loss = self.model.advance(state, batch)
        return state, loss

    def train(self, batches):
        for batch in batches:
            self.model.state, _ = self.step(self.model.state, batch)
            self.count = self.model.number(self.count)
        return self.model.state

    def evaluate(self, batch):
        self.model.state, loss = self.model.advance(self.model.state, batch)
        return loss


class Model:
    def __init__(self):
        self.state = jnp.zeros(3)

    def advance(self, state, batch):
        state = state + batch
        return state, state.sum()

    def number(self, count):
        return count + 1


trainer = Trainer(Model())
print(trainer.train([jnp.ones(3), jnp.ones(3)]), trainer.evaluate(jnp.ones(3)), trainer.count)
