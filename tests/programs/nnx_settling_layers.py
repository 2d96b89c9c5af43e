# category: irreversible-loop
import jax.numpy as jnp
from flax import nnx
from jax import lax


class Settling(nnx.Module):
    def __init__(self, size, rngs):
        self.mix = nnx.Linear(size, size, rngs=rngs)
        self.steps = 5

    def __call__(self, x):
        def once(carry):
            return carry[0] + 1, jnp.tanh(self.mix(carry[1]))

        return lax.while_loop(lambda c: c[0] < self.steps, once, (0, x))[1]  #! OAK604


model = Settling(4, nnx.Rngs(0))
x = jnp.ones(4)


@nnx.jit
def train(model, x):
    def loss(model):
        return (model(x) ** 2).mean()

    return nnx.value_and_grad(loss)(model)  #~ ValueError


print(train(model, x))
