# category: clean/traced-static-argument
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("unit",))
def length(x, unit):
    return jnp.linalg.norm(x) * (1000.0 if unit == "km" else 1.0)


class Field(eqx.Module):
    units: eqx.AbstractVar[dict]


class Single(Field):
    units: tuple = eqx.field(static=True, default=("km", "s"))


class Point(Single):
    mass: jax.Array = eqx.field(default=1.0, converter=jnp.asarray)
    units: tuple = eqx.field(static=True, default=("m", "s"))

    @jax.jit
    def potential(self, x):
        return -self.mass / length(x, self.units[0])


print(Point().potential(jnp.ones(3)))
