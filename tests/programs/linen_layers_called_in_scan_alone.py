# category: raw-transform-in-module
import flax.linen as nn
import jax
import jax.numpy as jnp


class Expert(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.features)(x)  #! OAK107


class Mixture(nn.Module):
    experts: int

    def setup(self):
        self.expert = Expert(4)
        self.gate = nn.Dense(self.experts)
        self.scale = nn.Dense(4)

    def __call__(self, x):
        weights = nn.softmax(self.gate(x))

        def add(total, i):
            return total + self.scale(self.expert(x)) * weights[..., i, None], None  #! OAK107

        return jax.lax.scan(add, jnp.zeros_like(x), jnp.arange(self.experts))[0]


model = Mixture(3)
x = jnp.ones((2, 4))
variables = model.init(jax.random.key(0), x)
print(jax.tree.map(jnp.sum, variables))  #~ UnexpectedTracerError
