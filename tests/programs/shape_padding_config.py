# category: traced-shape
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Config(NamedTuple):
    width: int
    pad: int = 2


def pad_rows(x, cfg):
    filler = jnp.full((cfg.pad, x.shape[1]), -1.0)  #! OAK211 #~ TypeError
    return jnp.concatenate([x, filler])


@jax.jit
def preprocess(x, cfg):
    x = x / cfg.width
    return pad_rows(x, cfg)


print(pad_rows(jnp.ones((2, 2)), Config(4)).shape)
print(preprocess(jnp.ones((2, 2)), Config(width=4)))
