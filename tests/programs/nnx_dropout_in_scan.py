# category: raw-transform-in-module
import jax
import jax.numpy as jnp
from flax import nnx


class Perceptron(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.hidden = nnx.Linear(4, 8, rngs=rngs)
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.out = nnx.Linear(8, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(nnx.relu(self.dropout(self.hidden(x))))  #! OAK107 #~ TraceContextError


model = Perceptron(nnx.Rngs(0))
print(model(jnp.ones(4)))


def add(total, x):
    return total + model(x).sum(), None


print(jax.lax.scan(add, 0.0, jnp.ones((3, 4)))[0])
