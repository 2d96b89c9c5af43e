# category: python-branch-on-tracer
import dataclasses

import jax
import jax.numpy as jnp


def state_class(cls):
    cls = dataclasses.dataclass(cls, frozen=True)
    names = [field.name for field in dataclasses.fields(cls)]

    def flatten(node):
        return [getattr(node, name) for name in names], None

    jax.tree_util.register_pytree_node(cls, flatten, lambda _, leaves: cls(*leaves))
    return cls


@state_class
class Particle:
    place: jax.Array
    charge: float


@jax.jit
def push(particle):
    if particle.charge > 0:  #! OAK201 #~ TracerBoolConversionError
        return particle.place + 1.0
    return particle.place - 1.0


push(Particle(jnp.zeros(3), 1.0))
