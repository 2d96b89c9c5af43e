# category: clean/python-branch-on-tracer
import dataclasses

import jax
import jax.numpy as jnp


def marked(child, **options):
    return dataclasses.field(metadata={"static": not child}, **options)


def option(**options):
    return marked(False, **options)


def tree_dataclass(cls):
    return jax.tree_util.register_dataclass(dataclasses.dataclass(cls))


@tree_dataclass
class Tank:
    level: jax.Array = marked(True)
    open: bool = option(default=True)
    rings: int = option(default=2, kw_only=True)


@jax.jit
def fill(tank):
    level = tank.level + 1.0 if tank.open else tank.level
    for _ in range(tank.rings):
        level = jnp.sqrt(level)
    return level


print(fill(Tank(jnp.ones(2))), fill(Tank(jnp.ones(2), open=False, rings=1)))
