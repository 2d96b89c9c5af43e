# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np


class ToneMap:
    def __init__(self, gamma):
        self.curve = (np.linspace(0.0, 1.0, 256) ** gamma).astype(np.float32)

    def __call__(self, pixels):
        index = jnp.clip(pixels * 255, 0, 255).astype(jnp.int32)
        return self.curve[index]  #! OAK207  #~ TracerArrayConversionError


apply = jax.jit(jax.vmap(ToneMap(0.5)))
print(apply(jnp.full((2, 3, 3), 0.25)).shape)
