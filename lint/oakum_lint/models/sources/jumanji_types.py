"""`jumanji.types`, as far as it decides what a program does."""

from dataclasses import field
from typing import Any, Generic, TypeVar

import jax
from chex import dataclass

_FIRST, _MID, _LAST = 0, 1, 2
Observation = TypeVar("Observation")


@dataclass
class TimeStep(Generic[Observation]):
    """What an environment returns of a step."""

    step_type: jax.Array
    reward: jax.Array
    discount: jax.Array
    observation: Observation
    extras: dict[str, Any] = field(default_factory=dict)

    def first(self) -> jax.Array:
        return self.step_type == _FIRST

    def mid(self) -> jax.Array:
        return self.step_type == _MID

    def last(self) -> jax.Array:
        return self.step_type == _LAST
