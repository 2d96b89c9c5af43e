# category: clean/non-jax-type-argument
import enum
from enum import Enum, auto, unique

import jax
import jax.numpy as jnp


class Mode(enum.Enum):
    TRAIN = 1
    EVAL = 2

    @property
    def factor(self):
        return 2.0 if self is Mode.TRAIN else 1.0

    def apply(self, x):
        return x * self.factor


@unique
class Kind(Enum):
    A = auto()
    B = auto()


TABLE = {Kind.A: jnp.sin, Kind.B: "no"}


def plain(x, mode):
    match mode:
        case Mode.TRAIN:
            return mode.apply(x)
        case Mode.EVAL:
            return x[5]
    return x + "a"


g = jax.jit(plain, static_argnames="mode")
print(g(jnp.ones(2), mode=Mode.TRAIN), Mode(1) is Mode.TRAIN, Mode.TRAIN.value + 1)
print(TABLE[Kind.A](jnp.ones(2)), Kind.B.name + "x")
print(
    isinstance(Mode.TRAIN, Mode),
    f"{Mode.TRAIN} {Mode.TRAIN!r}",
    str(Kind.A),
    [m.value for m in Mode],
)
h = jax.jit(lambda x: x * Mode.TRAIN.factor + (1.0 if isinstance(Mode.EVAL, Enum) else "a"))
print(h(jnp.ones(2)))
print(
    max(Mode, key=lambda m: m.value),
    sorted(m.name for m in Kind),
    len(Mode),
    list(Mode),
    Mode["TRAIN"],
    Mode.__members__,
)
