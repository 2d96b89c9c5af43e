# category: bool-op-on-tracer
import dataclasses
import functools
import operator

import jax
import jax.numpy as jnp


@functools.total_ordering
class Candidate:
    def __init__(self, genes):
        self.genes = genes

    def __eq__(self, other):
        return jnp.sum(self.genes) == jnp.sum(other.genes)

    def __lt__(self, other):
        return jnp.sum(self.genes) < jnp.sum(other.genes)


@dataclasses.dataclass
class Particle:
    weight: jax.Array
    position: jax.Array
    age: int = 0

    def check(self):
        for field in dataclasses.fields(self):
            if getattr(self, field.name) < 0:  #! OAK201
                raise ValueError(field.name)
        return self


def heaviest(weights):
    particles = [Particle(weight, weight * 2) for weight in weights]
    return max(particles, key=operator.attrgetter("weight")).position  #! OAK203


def stepped(weight):
    moved = dataclasses.replace(Particle(0.0, weight, 3), weight=weight).check()
    return dataclasses.asdict(moved)["position"]


def tournament(a, b):
    return max(Candidate(a), Candidate(b)).genes  #! OAK203 #~ TracerBoolConversionError


print(jax.vmap(tournament)(jnp.ones((3, 2)), jnp.zeros((3, 2))))
print(jax.jit(heaviest)(jnp.arange(3.0)))
print(jax.jit(stepped)(1.0))
