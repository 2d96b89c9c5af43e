# category: clean/traced-shape
import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn


class Scaled(nn.Module):
    @nn.compact
    def __call__(self, x, shift=None):
        scale = self.param("scale", nn.initializers.ones, (x.shape[-1],))
        return x * scale, shift


class Bias(nn.Module):
    @nn.compact
    def __call__(self, rows, columns, equation, x):
        distance = np.arange(rows)[:, None] - np.arange(columns)[None, :]
        return jnp.einsum(equation, x, distance * 1.0)


class Block(nn.Module):
    plain: bool = False

    def setup(self):
        if self.plain:
            self.norm = nn.LayerNorm()
        else:
            self.norm = Scaled()

    def __call__(self, x, gain):
        if self.plain:
            gain = jnp.expand_dims(gain, 0)
            return (1 + gain) * self.norm(x)
        normed, _ = self.norm(x, shift=gain)
        return normed


x = jnp.ones((2, 3))
print(Block().init_with_output(jax.random.key(0), x, jnp.ones(3))[0])
print(Bias().apply({}, 2, 3, "ij,ij->i", x))
