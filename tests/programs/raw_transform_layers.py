# category: raw-transform
import jax
import jax.numpy as jnp
from flax import linen as nn


class Block(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        return nn.tanh(nn.Dense(self.width)(x))  #! OAK107


class Tower(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(4)(x)

        def deeper(i, x):
            return Block(4)(x) + i

        x = jax.lax.fori_loop(0, 3, deeper, x)  #~ UnexpectedTracerError

        @jax.jit
        def head(x):
            scale = self.param("scale", nn.initializers.ones, (4,))  #! OAK107
            return x * scale

        return head(x)


tower = Tower()
variables = tower.init(jax.random.key(0), jnp.ones((2, 4)))
tower.apply(variables, jnp.ones((2, 4)))
