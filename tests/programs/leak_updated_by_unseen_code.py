# category: silent/leak-attribute
"""A trainer whose jitted step puts the next state of its model, which is passed in, into that."""

import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, model):
        self.model = model
        self.step = self._make_step()

    def _make_step(self):
        @jax.jit
        def step(key, batch):
            noise = jax.random.normal(key, batch.shape)
            self.model.state, loss = self.model.advance(self.model.state, batch + noise)  #! OAK103
            return loss

        return step

    def train(self, key, batches):
        for i, batch in enumerate(batches):
            self.step(jax.random.fold_in(key, i), batch)
        return self.model.state


print(jnp.zeros(3).sum(), Trainer.__name__)
