# category: clean/irreversible-loop
import jax.numpy as jnp
from flax import nnx
from jax import lax


class Settling(nnx.Module):
    def __init__(self, size, rngs):
        self.mix = nnx.Linear(size, size, rngs=rngs)
        self.steps = 5

    def __call__(self, x):
        if self.steps > 3:
            x = lax.while_loop(lambda c: c.max() > 1, lambda c: c / 2, x)
        return lax.scan(lambda c, _: (jnp.tanh(self.mix(c)), None), x, length=self.steps)[0]


model = Settling(4, nnx.Rngs(0))
x = jnp.ones(4)


@nnx.jit
def train(model, x):
    def loss(model):
        return (model(x) ** 2).mean()

    return nnx.value_and_grad(loss)(model)


print(train(model, x)[0])
if model(x).sum() > 0:
    print("positive")
