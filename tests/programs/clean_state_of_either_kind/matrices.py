import jax.numpy as jnp


class Streaming:
    def __init__(self, size):
        self.size = size

    def begin(self):
        return jnp.zeros(self.size)
