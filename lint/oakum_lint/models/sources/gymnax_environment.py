"""`gymnax.environments.environment`, as far as it decides what a program does."""

from flax import struct


@struct.dataclass
class EnvState:
    """What the states of all environments have."""

    time: int


@struct.dataclass
class EnvParams:
    """What the parameters of all environments have: leaves, too."""

    max_steps_in_episode: int = 1
