# category: use-after-donate
import jax
import jax.numpy as jnp
from flax import struct

halved = jax.jit(lambda row: row / 2.0, donate_argnums=0)
shift = jax.jit(lambda pose: pose.replace(at=pose.at + 1.0), donate_argnums=0)


@struct.dataclass
class Pose:
    at: jax.Array
    label: str = struct.field(pytree_node=False, default="start")


def layers(rows):
    return [halved(row) for row in rows]


def levels(named):
    return {name: halved(level) for name, level in named.items()}


pair = (jnp.ones(4), jnp.ones(6))
named = {"coarse": jnp.zeros(3), "fine": jnp.zeros(9)}
rows = [jnp.ones(2), jnp.ones(5)]
lower = levels(named)
first = halved(pair[0])
print(pair[1].sum(), len(layers(rows)), lower["fine"])
pose = Pose(jnp.zeros(2))
moved = shift(pose)
print(moved.at, pose.label)
print(jnp.stack([first, pair[0]]))  #! OAK701 #~ RuntimeError
print(jnp.sum(rows[0]))  #! OAK701
print(named["fine"] - lower["fine"])  #! OAK701
print(moved.at - pose.at)  #! OAK701
