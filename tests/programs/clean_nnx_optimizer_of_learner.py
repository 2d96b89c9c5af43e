# category: clean/raw-transform-in-module
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Head(nnx.Module):
    def __init__(self, width, rngs):
        self.inner = nnx.Linear(width, width, rngs=rngs)
        self.outer = nnx.Linear(width, 1, rngs=rngs)

    def __call__(self, x):
        return self.outer(nnx.relu(self.inner(x)))


class Learner:
    def __init__(self, width, rate):
        self.head = Head(width, nnx.Rngs(0))
        self.optimizer = nnx.Optimizer(self.head, optax.sgd(rate), wrt=nnx.Param)

    def update(self, x):
        return improve(self.head, self.optimizer, x)

    def update_eagerly(self, x):
        gradients = nnx.grad(mistake)(self.head, x)
        self.optimizer.update(self.head, gradients)
        return optax.global_norm(gradients)


def mistake(head, x):
    return jnp.mean(head(x) ** 2)


@nnx.jit
def improve(head, optimizer, x):
    value, gradients = nnx.value_and_grad(mistake)(head, x)
    optimizer.update(head, gradients)
    return value


@jax.jit
def fit_new(x):
    head = Head(4, nnx.Rngs(0))
    optimizer = nnx.Optimizer(head, optax.sgd(0.1), wrt=nnx.Param)
    optimizer.update(head, nnx.grad(mistake)(head, x))
    return head(x)


learner = Learner(4, 0.1)
print(learner.update(jnp.ones((8, 4))), learner.update_eagerly(jnp.ones((8, 4))))
print(fit_new(jnp.ones((8, 4))))
