# category: clean/raw-transform-in-module
import jax
import jax.numpy as jnp
from flax import nnx


class Perceptron(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.hidden = nnx.Linear(4, 8, rngs=rngs)
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.out = nnx.Linear(8, 1, rngs=rngs)

    def __call__(self, x):
        return self.out(nnx.relu(self.dropout(self.hidden(x))))


model = Perceptron(nnx.Rngs(0))


@nnx.scan(in_axes=(nnx.Carry, None, 0), out_axes=nnx.Carry)
def add(total, model, x):
    return total + model(x).sum()


@nnx.jit
def loss(model, x):
    return jnp.mean(model(x) ** 2)


graph, state = nnx.split(model)


@jax.jit
def pure(state, x):
    model = nnx.merge(graph, state)
    return model(x), nnx.state(model)


print(add(jnp.zeros(()), model, jnp.ones((3, 4))))
print(nnx.value_and_grad(loss)(model, jnp.ones((3, 4)))[0])
print(pure(state, jnp.ones(4))[0])
idle = nnx.Dropout(0.0, rngs=nnx.Rngs(1))
print(jax.lax.map(idle, jnp.ones(3)), jax.lax.scan(lambda total, x: (total + idle(x), None), 0.0, jnp.ones(3)))
