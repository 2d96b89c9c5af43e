# category: clean/inplace-mutation
import jax
import jax.numpy as jnp


class Buffer:
    def __init__(self, data):
        self.data = data

    def __setitem__(self, index, value):
        self.data = self.data.at[index].set(value)

    def __getitem__(self, index):
        return self.data[index]


@jax.jit
def prefix(x):
    out = Buffer(jnp.zeros_like(x))
    out[0] = x[0]
    for i in range(1, x.shape[0]):
        out[i] = out[i - 1] + x[i]
    columns = [x, x]
    columns[0] *= 2
    columns[1] += columns[0]
    return out.data, columns


print(prefix(jnp.arange(4.0)))
