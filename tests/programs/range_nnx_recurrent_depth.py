# category: range-of-tracer
import jax
import jax.numpy as jnp
from flax import nnx


class Recurrent(nnx.Module):
    def __init__(self, features: int, *, rngs: nnx.Rngs):
        self.cell = nnx.Linear(features, features, rngs=rngs)
        self.norm = nnx.LayerNorm(features, rngs=rngs)

    def __call__(self, x, depth: int = 1):
        for i in range(depth):  #! OAK205 24 #~ TracerIntegerConversionError
            x = x + nnx.relu(self.norm(self.cell(x)))
        return x


class Classifier(nnx.Module):
    def __init__(self, rngs):
        self.body = Recurrent(2, rngs=rngs)
        self.head = nnx.Linear(2, 3, rngs=rngs)

    def __call__(self, x, depth):
        return self.head(self.body(x, depth=depth))


@nnx.jit
def loss_fn(model, x, depth):
    return jnp.mean(model(x, depth) ** 2)


model = Classifier(nnx.Rngs(0))
print(model(jnp.ones((1, 2)), 2).shape)
print(loss_fn(model, jnp.ones((1, 2)), 3))
