# category: silent/stale-read
# Beside their form these functions read the elements of what they keep.
import jax
import jax.numpy as jnp

table = jnp.zeros(3)


@jax.jit
def weighed(x):
    held = table  #! OAK113
    return x * held.shape[0] + held[0]


class Model:
    def __init__(self, weights):
        self.weights = weights
        self.step = jax.jit(self._step)

    def _mean(self):
        return self.weights.mean()

    def _step(self, x):
        return x * self.weights.ndim + self._mean()


model = Model(table)
first = weighed(2.0), model.step(1.0)
table, model.weights = table + 1, jnp.ones(3)  #! OAK114
print(first, weighed(2.0))
print(model.step(1.0))
