# category: silent/discarded-update
import jax
import jax.numpy as jnp


class Buffer:
    def __init__(self):
        self.cells = jnp.zeros(4)

    def write(self, index, value):
        self.cells.at[index].set(value)  #! OAK220

    def read(self):
        self.cells.at[0].get()
        return self.cells


@jax.jit
def clipped(x):
    x.at[0].min(1.0)  #! OAK220
    y = x.at[1].max(1.0)
    return y


buffer = Buffer()
buffer.write(1, 2.0)
assert buffer.read().sum() == 0
assert clipped(jnp.full(2, 3.0)).sum() == 6
