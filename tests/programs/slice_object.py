# category: traced-slice-bound
import jax
import jax.numpy as jnp


class Chunk:
    def __init__(self, start, length):
        self.start, self.length = start, length

    @property
    def slice(self):
        return slice(self.start, self.start + self.length)


def read(x, chunk):
    return x[chunk.slice, ...]  #! OAK214  #~ IndexError


def scan_chunks(x, length):
    starts = jnp.arange(0, x.shape[0], length)
    return jax.lax.map(lambda s: read(x, Chunk(s, length)).sum(), starts)


print(scan_chunks(jnp.arange(6.0), 2))
