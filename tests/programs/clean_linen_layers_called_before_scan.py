# category: clean/raw-transform-in-module
import flax.linen as nn
import jax
import jax.numpy as jnp


class Expert(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.features)(x)


class Mixture(nn.Module):
    experts: int

    def setup(self):
        self.expert = Expert(4)
        self.gate = nn.Dense(self.experts)

    def __call__(self, x):
        weights = nn.softmax(self.gate(x))
        first = self.expert(x)

        def add(total, i):
            return total + self.expert(x) * weights[..., i, None], None

        return jax.lax.scan(add, first, jnp.arange(self.experts))[0]


class Stack(nn.Module):
    @nn.compact
    def __call__(self, x):
        dense = nn.Dense(4)
        x = dense(x)
        return jax.lax.scan(lambda x, _: (dense(x), None), x, None, length=2)[0]


x = jnp.ones((2, 4))
for model in (Mixture(3), Stack()):
    variables = model.init(jax.random.key(0), x)
    print(jax.tree.map(jnp.sum, variables))
