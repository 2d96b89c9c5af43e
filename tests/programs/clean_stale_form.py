# category: clean/static-mutated
# What asks an array for its length, or for another one of its form, is not stale.
import jax
import jax.numpy as jnp

table = jnp.zeros(3)


@jax.jit
def spread(x):
    return x / len(table)


@jax.jit
def padded(x):
    return x + jnp.zeros_like(table)


print(spread(6.0), padded(1.0))
table = table + 1
print(spread(6.0), padded(1.0))


@jax.jit
def weighed(x):
    held = table
    return x * held.shape[0] * jnp.ndim(held)


class Model:
    def __init__(self, weights):
        self.weights = weights
        self.step = jax.jit(self._step)

    def _step(self, x):
        return x * self.weights.ndim


model = Model(table)
print(weighed(2.0), model.step(1.0))
table, model.weights = table + 1, jnp.ones(3)
print(weighed(2.0), model.step(1.0))
