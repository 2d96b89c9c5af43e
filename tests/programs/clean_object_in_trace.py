# category: clean/leak-attribute
import jax
import jax.numpy as jnp


class Tape:
    def __init__(self):
        self.values = []
        self.total = 0.0

    def write(self, value):
        self.values.append(value)
        self.total = self.total + value
        return self


def objective(w):
    tape = Tape()
    for k in range(3):
        tape.write(jnp.sum(w**k)).write(jnp.sum(jnp.cos(w)))
    return tape.total + jnp.stack(tape.values).max()


print(jax.value_and_grad(objective)(jnp.ones(2)))
