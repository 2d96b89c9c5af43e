# category: clean/python-branch-on-tracer
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
from jax.tree_util import register_pytree_node


def pytree_dataclass(cls, aux_fields=(), **options):
    cls = dataclasses.dataclass(cls, **options)
    names = [field.name for field in dataclasses.fields(cls)]
    aux = [name for name in names if aux_fields is Ellipsis or name in aux_fields]
    children = [name for name in names if name not in aux]

    def flatten(node):
        return tuple(getattr(node, n) for n in children), tuple(getattr(node, n) for n in aux)

    def unflatten(auxiliary, leaves):
        return cls(**dict(zip(children, leaves)), **dict(zip(aux, auxiliary)))

    register_pytree_node(cls, flatten, unflatten)
    return cls


@partial(pytree_dataclass, aux_fields=Ellipsis, frozen=True)
class Mesh:
    spacing: float
    order: int = 2


@jax.jit
def displace(position, mesh):
    if mesh.order > 1:
        position = position + mesh.spacing
    for _ in range(mesh.order):
        position = position * 0.5
    return position


print(displace(jnp.arange(4.0), Mesh(0.25)))
