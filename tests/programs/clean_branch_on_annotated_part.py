# category: clean/python-branch-on-tracer
import builtins
import dataclasses
import queue
from functools import partial

import flax.struct
import jax
import jax.numpy as jnp

BASES = vars(builtins)


@partial(jax.tree_util.register_dataclass, data_fields=[], meta_fields=["start", "length"])
@dataclasses.dataclass(frozen=True)
class Interval:
    start: float
    length: int


@flax.struct.dataclass
class Lattice(BASES["object"]):
    states: jax.Array
    held: Interval = flax.struct.field(pytree_node=True)

    @property
    def count(self):
        return self.held.length

    @jax.jit
    def energy(self):
        if self.count == 0:
            return jnp.zeros(())
        return sum(jnp.roll(self.states, shift).sum() for shift in range(self.count))


waiting = queue.SimpleQueue()
waiting.put(Lattice(jnp.ones(4), Interval(0.0, 3)))
print(waiting.get().energy())
