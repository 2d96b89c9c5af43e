# category: inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


class Arm:
    def __init__(self, lengths):
        self.lengths = lengths

    def frame(self, angle, length):
        transform = np.eye(3)
        x, y = length * jnp.cos(angle), length * jnp.sin(angle)
        transform[:2, 2] = x, y  #! OAK215  #~ TracerArrayConversionError
        return transform

    def tip(self, angles):
        pose = jnp.eye(3)
        for angle, length in zip(angles, self.lengths):
            pose = pose @ self.frame(angle, length)
        return pose[:2, 2]


print(jax.jacfwd(Arm((1.0, 0.5)).tip)(jnp.array([0.1, 0.2])))
