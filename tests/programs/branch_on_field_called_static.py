# category: python-branch-on-tracer
import dataclasses
import queue

import jax
import jax.numpy as jnp


def static_pressure(**options):
    """A field in pascal."""
    return dataclasses.field(**options)


def dataclass(cls):
    made = dataclasses.dataclass(cls)
    names = [each.name for each in dataclasses.fields(made)]
    return jax.tree_util.register_dataclass(made, names, [])


@dataclass
class Tank:
    level: jax.Array
    inflow: jax.Array = static_pressure(default=0.0)

    @jax.jit
    def fill(self):
        if self.inflow > 0:  #! OAK201 12 #~ TracerBoolConversionError
            return self.level + self.inflow
        return self.level


tanks = queue.SimpleQueue()
tanks.put(Tank(jnp.ones(2), jnp.float32(0.5)))
print(tanks.get().fill())
