# category: clean/list-index-by-tracer
import jax
import jax.numpy as jnp
from defaults import *  # noqa: F403

COLOUR = jnp.concatenate([jnp.zeros(3), jnp.ones(3)])


@jax.jit
def paint(goal):
    return COLOUR[goal] * SIZE  # noqa: F405


print(paint(jnp.int32(4)))
