# category: leak-metadata
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Walk:
    position: jax.Array
    speed: jax.Array = dataclasses.field(metadata=dict(static=True))  #? OAK106


def advance(walk, push):
    speed = jnp.tanh(push)
    return Walk(walk.position + speed, speed), walk.position  #! OAK106


def trajectory(pushes):
    start = Walk(jnp.zeros(()), 0.0)
    return jax.lax.scan(advance, start, pushes)  #~ ValueError


trajectory(jnp.arange(4.0))
