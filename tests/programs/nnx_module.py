# category: leak-attribute
import jax
import jax.numpy as jnp
from flax import nnx


class Counter(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(2, 2, rngs=rngs)
        self.norm = None

    def __call__(self, x):
        return self.linear(x)


model = Counter(nnx.Rngs(0))
statistics = type("Statistics", (), {"mean": 0.0})()


@nnx.jit
def loss(model, x):
    y = model(x)
    statistics.mean = y.mean()  #! OAK103
    return (y**2).sum()


loss(model, jnp.ones((1, 2)))
print(statistics.mean + 1.0)  #~ UnexpectedTracerError
