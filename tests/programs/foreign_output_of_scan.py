# category: non-jax-type-argument
import jax.numpy as jnp
from jax import lax


class Reading:
    def __init__(self, level, unit):
        self.level, self.unit = level, unit


class Tank:
    def __init__(self, inflow):
        self.inflow = inflow

    def advance(self, level, valve):
        level = level + self.inflow - valve * level
        return level, Reading(level, "m")

    def readings(self, valves):
        return lax.scan(self.advance, jnp.zeros(()), valves)[1]  #! OAK305 #~ TypeError


print(Tank(0.3).readings(jnp.linspace(0.0, 0.5, 4)).level)
