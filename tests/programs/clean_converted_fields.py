# category: clean/sequence-operand
# Modules convert what they get, defaults too, when they have been made; what runs before that gets
# it as it is.
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp

as_indices = partial(jnp.asarray, dtype=jnp.int32)


def as_point(x):
    return jnp.asarray(x, dtype=jnp.float32)


class Orbital(eqx.Module):
    centre: jax.Array = eqx.field(converter=as_point, default=(0.0, 0.0, 0.0))
    width: jax.Array = eqx.field(converter=as_point, default=1.0)
    powers: jax.Array = eqx.field(converter=as_indices, default=(0, 0, 0))
    scale: jax.Array | None = None

    def __post_init__(self):
        if self.scale is None:
            self.scale = jnp.sum(as_indices(self.powers)) + self.width


class Shifted(eqx.Module):
    by: jax.Array = eqx.field(converter=as_point)

    def __init__(self, *by):
        self.by = by


def overlap(a, b):
    distance = a.centre - b.centre
    centre = (a.width * a.centre + b.width * b.centre) / 2
    return distance, centre, jax.vmap(lambda power: power - 1)(a.powers), a.scale * b.scale


print(jax.jit(overlap)(Orbital(), Orbital(width=0.3)))
print(jax.jit(overlap)(Orbital(centre=[1, 2, 3]), Orbital()))
print(jax.jit(lambda s: s.by - 1)(Shifted(1.0, 2.0)))
