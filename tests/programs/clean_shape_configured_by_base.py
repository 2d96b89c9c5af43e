# category: clean/traced-shape
"""The default of a class attribute that a configurable base makes a field of is not its value."""

import importlib

import jax.numpy as jnp

Configurable = importlib.import_module("sched").scheduler


class Rotary(Configurable):
    positions: int | None = None
    scale: float = 2.0

    def setup(self):
        self.embedding = self.create(self.positions)

    def create(self, count):
        return self.scale * jnp.arange(count)


for layer in Configurable.__subclasses__():
    made = layer()
    made.positions = 4
    made.setup()
    print(made.embedding)
