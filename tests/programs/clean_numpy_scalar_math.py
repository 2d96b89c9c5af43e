# category: clean/numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


class Rotary:
    def __init__(self, dim, base=10_000.0):
        inverse = 1.0 / np.power(base, np.arange(0, dim, 2) / dim)
        self.inverse = inverse.astype(np.float32)

    def __call__(self, x, offset=0):
        length = np.shape(x)[0]
        position = np.arange(offset, offset + length)
        angles = np.einsum("i,j->ij", position, self.inverse)
        sin, cos = np.sin(angles), np.cos(angles)
        a, b = x[:, ::2], x[:, 1::2]
        return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=np.ndim(x) - 1)


print(jax.jit(Rotary(4))(jnp.ones((3, 4))))
