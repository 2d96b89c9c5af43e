# category: raw-transform-in-module
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

        @jax.jit
        def update(gradients):
            self.optimizer.update(self.head, gradients)  #! OAK107 #~ TraceContextError
            return optax.global_norm(gradients)

        self.update = update


learner = Learner(4, 0.1)
gradients = nnx.grad(lambda head, x: jnp.mean(head(x) ** 2))(learner.head, jnp.ones((8, 4)))
print(learner.update(gradients))
