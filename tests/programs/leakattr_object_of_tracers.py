# category: leak-attribute
from dataclasses import dataclass

import jax
import jax.numpy as jnp


class Basis:
    def __init__(self, nodes):
        self.nodes = nodes
        self.count = nodes.shape[0]

    def project(self, x):
        return x / jnp.linalg.norm(self.nodes)  #~ UnexpectedTracerError


@dataclass
class Note:
    name: str
    value: jax.Array


NOTES = []


class Encoder:
    def __init__(self):
        self.basis = None

    def fit(self, nodes, x):
        @jax.jit
        def inner(nodes, x):
            self.basis = Basis(nodes)  #! OAK103
            NOTES.append(Note("x", x))  #! OAK101
            return self.basis.project(x)

        return inner(nodes, x)

    def transform(self, x):
        return self.basis.project(x)


encoder = Encoder()
encoder.fit(jnp.ones(3), jnp.arange(3.0))
print(NOTES[0].name, encoder.basis.count)
print(encoder.transform(jnp.ones(3)))
