"""`brax.envs.base`, as far as it decides what a program does."""

from typing import Any

import jax
from brax import base
from flax import struct


@struct.dataclass
class State(base.Base):
    """What an environment hands from one step to the next: all of it leaves."""

    pipeline_state: Any
    obs: jax.Array | dict[str, jax.Array]
    reward: jax.Array
    done: jax.Array
    metrics: dict[str, jax.Array] = struct.field(default_factory=dict)
    info: dict[str, Any] = struct.field(default_factory=dict)
