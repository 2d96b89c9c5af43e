# category: list-index-by-tracer
import jax
import jax.numpy as jnp
from flax import linen as nn


class Mixture(nn.Module):
    experts: int
    features: int

    def setup(self):
        self.gate = nn.Dense(self.experts)
        self.blocks = [nn.Dense(self.features, name=f"expert_{i}") for i in range(self.experts)]

    def hard(self, x):
        best = self.gate(x).mean(0).argmax()
        return self.blocks[best](x)  #! OAK206 28 #~ TracerIntegerConversionError

    def soft(self, x):
        weights = nn.softmax(self.gate(x))
        outs = jnp.stack([b(x) for b in self.blocks], -1)
        return jnp.einsum("nfe,ne->nf", outs, weights)

    def __call__(self, x, hard=False):
        return self.hard(x) if hard else self.soft(x)


model = Mixture(experts=2, features=3)
x = jnp.ones((4, 2))
variables = model.init(jax.random.key(0), x)
print(model.apply(variables, x).shape)
print(jax.jit(lambda v, x: model.apply(v, x, hard=True))(variables, x).shape)
