# category: numpy-index-by-tracer
import numpy as np
import jax
import jax.numpy as jnp
from flax import linen as nn

CODEBOOK = np.linspace(-1.0, 1.0, 16, dtype=np.float32)
LEVELS = len(CODEBOOK)


def nearest(x):
    return jnp.argmin(jnp.abs(x[..., None] - CODEBOOK), axis=-1)


class Quantizer(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        h = nn.Dense(self.features)(x)
        codes = nearest(jnp.tanh(h))
        q = CODEBOOK[codes]  #! OAK207 22 #~ TracerArrayConversionError
        return h + jax.lax.stop_gradient(q - h)


model = Quantizer(features=4)
x = jnp.ones((2, 3))
variables = model.init(jax.random.key(0), x)
print(jax.jit(model.apply)(variables, x).shape)
