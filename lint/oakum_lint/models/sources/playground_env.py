"""`mujoco_playground._src.mjx_env`, as far as it decides what a program does."""

from typing import Any

import jax
from flax import struct
from mujoco_playground._src.mjx_env import _tree_replace as _replaced


@struct.dataclass
class State:
    """What an environment hands from one step to the next: all of it leaves."""

    data: Any
    obs: jax.Array | dict[str, jax.Array]
    reward: jax.Array
    done: jax.Array
    metrics: dict[str, jax.Array]
    info: dict[str, Any]

    def tree_replace(self, params: dict[str, Any]) -> "State":
        state = self
        for path, value in params.items():
            state = _replaced(state, path.split("."), value)
        return state
