# category: python-branch-on-tracer
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Move(NamedTuple):
    along: jax.Array
    across: jax.Array


@dataclass
class Turn:
    angle: float
    times: int = 1


class Wait:
    __match_args__ = ("seconds",)

    def __init__(self, seconds):
        self.seconds = seconds


def moved(state, command):
    match command:
        case Turn(angle, times) if times > 0:
            return state.at[2].add(angle * times)
        case Wait(seconds) if seconds > 0:  #! OAK201 #~ TracerBoolConversionError
            return state
        case Move(along, _) if along == 0:  #! OAK201
            return state
        case Move(along, across):
            return state.at[0].add(along).at[1].add(across)


@jax.jit
def drive(state, amount):
    state = moved(state, Turn(0.5))
    return moved(state, Wait(amount)).sum() + moved(state, Move(amount, amount)).sum()


print(drive(jnp.zeros(3), 1.0))
