# category: non-jax-type-argument
from typing import Generic, TypeVar

import jax
import jax.numpy as jnp

Sample = TypeVar("Sample")


class Reservoir(Generic[Sample]):
    def __init__(self, capacity: int):
        self.capacity = capacity
        self.kept: list[Sample] = []

    def offer(self, sample: Sample) -> None:
        if len(self.kept) < self.capacity:
            self.kept.append(sample)

    @jax.jit
    def centre(self, samples):
        return samples - samples.sum(axis=0) / self.capacity


reservoir: Reservoir[float] = Reservoir(2)
reservoir.offer(1.0)
reservoir.offer(3.0)
print(reservoir.centre(jnp.array(reservoir.kept)))  #! OAK306  #~ TypeError
