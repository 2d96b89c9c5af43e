# category: hash-of-tracer
import jax
import jax.numpy as jnp
from functools import lru_cache


@lru_cache(maxsize=32)
def damping(rate, steps=4):
    return sum(rate**k for k in range(steps))


class Oscillator:
    def __init__(self, omega):
        self.omega = omega

    def energy(self, x, rate):
        return 0.5 * self.omega**2 * x**2 * damping(rate)  #! OAK216 #~ TypeError


osc = Oscillator(2.0)
print(osc.energy(1.0, 0.5))
print(jax.grad(osc.energy)(1.0, 0.5))
print(jax.grad(osc.energy, argnums=(0, 1))(1.0, 0.5))
