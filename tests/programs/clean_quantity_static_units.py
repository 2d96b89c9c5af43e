# category: clean/bool-op-on-tracer
from dataclasses import dataclass
from functools import total_ordering

import jax
import jax.numpy as jnp


@total_ordering
@dataclass(frozen=True)
class Unit:
    name: str
    power: int = 1

    def __lt__(self, other):
        return (self.name, self.power) < (other.name, other.power)


@jax.tree_util.register_pytree_node_class
class Quantity:
    def __init__(self, value, units):
        self.value = value
        self.units = tuple(sorted(units))

    def tree_flatten(self):
        return (self.value,), self.units

    @classmethod
    def tree_unflatten(cls, units, children):
        return cls(children[0], units)

    def __add__(self, other):
        if self.units != other.units:
            raise TypeError(f"cannot add {self.units} and {other.units}")
        return Quantity(self.value + other.value, self.units)

    def __mul__(self, other):
        if isinstance(other, Quantity):
            return Quantity(self.value * other.value, self.units + other.units)
        return Quantity(self.value * other, self.units)

    def __contains__(self, unit):
        return unit in self.units

    def __bool__(self):
        return bool(self.units)

    def __len__(self):
        return len(self.units)


METER, SECOND = Unit("m"), Unit("s", -1)


@jax.jit
def advance(pos, vel, dt):
    step = vel * dt
    if SECOND in step and step and not len(pos) > 3:
        step = Quantity(step.value, [u for u in step.units if u != SECOND])
    return pos + step if max(step.units) >= METER else pos


print(advance(Quantity(0.0, [METER]), Quantity(2.0, [METER, SECOND]), 0.5).value)
