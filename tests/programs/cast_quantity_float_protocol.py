# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


class Quantity:
    def __init__(self, value, unit):
        self.value, self.unit = value, unit

    def __mul__(self, other):
        if isinstance(other, Quantity):
            return Quantity(self.value * other.value, f"{self.unit}*{other.unit}")
        return Quantity(self.value * other, self.unit)

    __rmul__ = __mul__

    def __float__(self):
        return float(self.value)  #! OAK204 22 #~ ConcretizationTypeError

    def to(self, unit, factors={"km": 1e-3}):
        return Quantity(self.value * factors[unit], unit)


def travel(speed, time):
    distance = (Quantity(speed, "m/s") * Quantity(time, "s")).to("km")
    return 2.0 * float(distance)


print(travel(10.0, 60.0))
print(jax.vmap(travel, in_axes=(0, None))(jnp.array([10.0, 20.0]), 60.0))
