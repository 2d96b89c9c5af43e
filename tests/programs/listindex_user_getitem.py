# category: list-index-by-tracer
from collections.abc import Sequence
from typing import Generic, TypeVar

import jax
import jax.numpy as jnp

T = TypeVar("T")


class Ring(Sequence, Generic[T]):
    """A circular sequence over a Python list."""

    def __init__(self, items: list[T]):
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index) -> T:
        return self._items[index % len(self)]  #! OAK206 28 #~ TracerIntegerConversionError


phases: Ring[float] = Ring([0.0, 0.5, 1.0])


def modulate(t, signal):
    return signal * jnp.cos(phases[t])


print(modulate(4, 1.0))
print(jax.lax.map(lambda ts: modulate(*ts), (jnp.arange(3), jnp.ones(3))))
