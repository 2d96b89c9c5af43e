# category: carry-type-mismatch
import jax
import jax.numpy as jnp
from jax import lax


class Integrator:
    def __init__(self, rate, dt):
        self.rate = rate
        self.dt = dt

    def step(self, i, y):
        return y - self.dt * self.rate * y

    def run(self, y, start, stop):
        return lax.fori_loop(0, (stop - start) / self.dt, self.step, y)  #! OAK502  #~ TypeError


integrator = Integrator(0.5, 0.25)
print(Integrator.step(integrator, 0, jnp.ones(2)))
print(jax.jit(integrator.run)(jnp.ones(2), 0.0, 1.0))
