# category: traced-static-argument
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Window:
    size: int = 2
    kind: str = "mean"


@partial(jax.jit, static_argnames="window")
def smooth(x, window):
    return jnp.convolve(x, jnp.ones(window.size) / window.size)


@jax.jit
def filtered(x, size):
    return smooth(x, Window(kind="sum")) + smooth(x, Window(size))  #! OAK304 #~ ValueError


print(smooth(jnp.ones(4), Window(3)))
print(filtered(jnp.ones(4), 2))
