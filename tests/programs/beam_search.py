# category: traced-static-argument
import jax
import jax.numpy as jnp


class Beam:
    def __init__(self, vocabulary):
        self.vocabulary = vocabulary

    def expand(self, scores, width):
        flat = scores.reshape(-1)
        best, where = jax.lax.top_k(flat, width)  #! OAK212  #~ TracerBoolConversionError
        return best, where // self.vocabulary


beam = Beam(3)
step = jax.jit(lambda scores, width: beam.expand(scores, width))
print(step(jnp.arange(6.0).reshape(2, 3), 2))
