# category: python-branch-on-tracer
from abc import ABC, abstractmethod

import jax
import jax.numpy as jnp


class Optimizer(ABC):
    """The base class jits `update`; subclasses fill in `direction`."""

    def __init__(self, lr: float):
        self.lr = lr
        self.update = jax.jit(self._update)

    @abstractmethod
    def direction(self, grad, state): ...

    def _update(self, params, grad, state):
        d, state = self.direction(grad, state)
        return params - self.lr * d, state


class Sgd(Optimizer):
    def direction(self, grad, state):
        return grad, state


class Clipped(Sgd):
    limit = 1.0

    def direction(self, grad, state):
        grad, state = super().direction(grad, state)
        norm = jnp.linalg.norm(grad)
        return (grad if norm <= self.limit else grad / norm), state  #! OAK201 25 #~ TracerBoolConversionError


print(Sgd(0.1).update(jnp.ones(2), jnp.ones(2), None)[0])
print(Clipped(0.1).update(jnp.ones(2), jnp.ones(2), None)[0])
