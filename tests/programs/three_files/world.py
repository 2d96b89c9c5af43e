import jax.numpy as jnp

from forces import gravity


class World:
    def __init__(self, n):
        self.height = jnp.ones(n)
        self.speed = jnp.zeros(n)

    def advance(self, dt):
        self.speed = self.speed + dt * gravity(self.height)  #! OAK103
        self.height = self.height + dt * self.speed  #! OAK103
        return self.energy()

    def energy(self):
        return 0.5 * jnp.sum(self.speed**2)  #~ UnexpectedTracerError
