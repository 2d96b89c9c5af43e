# category: inplace-mutation
import jax
import jax.numpy as jnp
from flax import linen as nn


class PositionalEncoding(nn.Module):
    length: int
    dim: int

    def setup(self):
        self.proj = nn.Dense(self.dim)

    def table(self):
        pos = jnp.arange(self.length)[:, None]
        div = jnp.exp(-jnp.log(100.0) * jnp.arange(0, self.dim, 2) / self.dim)
        pe = jnp.zeros((self.length, self.dim))
        pe[:, 0::2] = jnp.sin(pos * div)  #! OAK215 #~ TypeError
        pe[:, 1::2] = jnp.cos(pos * div)  #! OAK215
        return pe

    def __call__(self, x):
        return self.proj(x + self.table()[: x.shape[0]])


model = PositionalEncoding(length=8, dim=4)
variables = model.init(jax.random.key(0), jnp.ones((3, 4)))
print(jax.tree.map(jnp.shape, variables))
