# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


class Normalizer:
    def __init__(self, size):
        self.mean = np.zeros(size)
        self.scale = np.ones(size)

    def normalize(self, observation):
        return np.divide(observation - self.mean, self.scale)  #! OAK208  #~ TracerArrayConversionError


class Agent:
    def __init__(self, size):
        self.normalizer = Normalizer(size)
        self.act = jax.jit(self._act)

    def _act(self, weights, observation):
        return jnp.argmax(weights @ self.normalizer.normalize(observation))


print(Agent(3).act(jnp.ones((2, 3)), jnp.arange(3.0)))
