# category: clean/leak-attribute
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Variable):
    pass


class Tracker(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.linear = nnx.Linear(2, 2, rngs=rngs)
        self.calls = Counter(jnp.zeros((), jnp.int32))

    def __call__(self, x):
        self.calls.value = self.calls.value + 1
        return self.linear(x)


@nnx.jit
def step(model, x):
    y = model(x)
    model.linear.bias.value = model.linear.bias.value * 0.9
    return y.sum()


model = Tracker(nnx.Rngs(0))
for _ in range(2):
    step(model, jnp.ones((1, 2)))
print(model.calls.value + 0)
