# category: python-branch-on-tracer
from functools import partial

import jax
import jax.numpy as jnp


class Thermostat:
    def __init__(self, target):
        self.target = target

    @partial(jax.jit, static_argnums=0)
    def control(self, reading, heating: bool):
        if heating:  #! OAK201  #~ TracerBoolConversionError
            return reading + 0.1 * (self.target - reading)
        return reading


print(Thermostat(20.0).control(jnp.array(18.0), True))
