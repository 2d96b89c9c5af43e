# category: non-jax-type-argument
import enum

import jax
import jax.numpy as jnp


class Mode(enum.Enum):
    TRAIN = "train"
    EVAL = "eval"

    @classmethod
    def default(cls):
        return cls("eval")


@jax.jit
def forward(x, mode):
    if mode is Mode.TRAIN:
        return x * 2.0
    return x


chosen = jax.jit(lambda x, mode: x, static_argnames="mode")
print(chosen(jnp.ones(2), mode=Mode.TRAIN))
modes = {"eval": Mode.default(), "train": Mode.TRAIN}
for name, mode in modes.items():
    print(forward(jnp.ones(2), mode))  #! OAK305  #~ TypeError
