# category: clean/non-jax-type-argument
import jax
import jax.numpy as jnp


class Variable:
    def __init__(self, start):
        self._raw = start

    @property
    def value(self):
        return self._raw

    @value.setter
    def value(self, new):
        self._raw = jnp.asarray(new)


@jax.jit
def total(x):
    return x.sum()


held = Variable(jnp.ones(3))
first = total(held.value)
held.value = [1.0, 2.0]
print(first, total(held.value))
