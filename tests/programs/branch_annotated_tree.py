# category: python-branch-on-tracer
import dataclasses
import pickle

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclasses.dataclass
class Field:
    data: jax.Array
    offset: tuple

    def tree_flatten(self):
        return (self.data,), (self.offset,)

    @classmethod
    def tree_unflatten(cls, offset, children):
        return cls(*children, *offset)


def shifted(field: Field, by):
    # Nothing says what `moved` is given but this annotation: the offset is static.
    delta = by - field.offset[0]
    if delta == 0:
        return field
    data = jnp.roll(field.data, int(delta))
    if data.sum() > 0:  #! OAK201 #~ TracerBoolConversionError
        return Field(data, (by,))
    return Field(-data, (by,))


@jax.jit
def moved(field):
    return shifted(field, 1)


moved(pickle.loads(pickle.dumps(Field(jnp.ones(3), (0,)))))
