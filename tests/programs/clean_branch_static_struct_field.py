# category: clean/python-branch-on-tracer
import flax.struct
import jax
import jax.numpy as jnp
from jax import lax


@flax.struct.dataclass
class Walk:
    position: jax.Array
    steps: jax.Array
    momentum: float = flax.struct.field(pytree_node=False)


def advance(walk: Walk) -> Walk:
    if walk.momentum > 0:
        moved = walk.position * walk.momentum
    else:
        moved = walk.position + 1.0
    return walk.replace(position=moved, steps=walk.steps + 1)


@jax.jit
def travel(start: Walk) -> Walk:
    def unfinished(walk: Walk):
        return walk.steps < 4

    return lax.while_loop(unfinished, advance, start)


print(travel(Walk(jnp.ones(2), jnp.zeros((), jnp.int32), momentum=0.5)))
