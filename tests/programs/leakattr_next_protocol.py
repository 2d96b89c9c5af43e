# category: leak-attribute
import jax
import jax.numpy as jnp


class Draws:
    """Fresh keys, one after the other."""

    def __init__(self, seed):
        self._state = jax.random.key(seed)

    def __iter__(self):
        return self

    def __next__(self):
        self._state, fresh = jax.random.split(self._state)  #! OAK103 #~ UnexpectedTracerError
        return fresh


draws = Draws(0)


@jax.jit
def start(scale):
    weights = scale * jax.random.normal(next(draws), (2, 2))
    for key, bias in zip(draws, (0.5, 1.0)):
        weights = weights + bias * jax.random.normal(key, (2, 2))
    return weights


print(start(1.0))
print(jax.random.uniform(next(draws)))
