# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


class Halving:
    def __init__(self, width):
        self.width = width

    def levels(self, values):
        width, level = self.width, 0
        while width > 1.0:
            level = jnp.sum(values > width)
            width = width * 0.5
        return int(level)  #! OAK204 #~ ConcretizationTypeError


halving = Halving(4.0)
print(halving.levels(jnp.arange(6.0)))
print(Halving(0.5).levels(jnp.arange(6.0)))
print(jax.jit(halving.levels)(jnp.arange(6.0)))
