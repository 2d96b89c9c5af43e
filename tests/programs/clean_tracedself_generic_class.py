# category: clean/non-jax-type-argument
from typing import Generic, TypeVar

import equinox
import jax
import jax.numpy as jnp

Label = TypeVar("Label")


class Named(Generic[Label]):
    label: Label


class Ramp(equinox.Module, Named[str]):
    slope: jax.Array
    label: str = equinox.field(static=True)

    @jax.jit
    def rise(self, x):
        return self.slope * x


@jax.tree_util.register_pytree_node_class
class Window(Generic[Label]):
    def __init__(self, weights, label: Label):
        self.weights, self.label = weights, label

    @jax.jit
    def apply(self, signal):
        return self.weights * signal

    def tree_flatten(self):
        return (self.weights,), self.label

    @classmethod
    def tree_unflatten(cls, label, children):
        return cls(*children, label)


print(Ramp(jnp.array(2.0), "up").rise(jnp.arange(3.0)), Window(jnp.ones(3), "flat").apply(2.0))
