# category: clean/leak-iterator
import jax
import jax.numpy as jnp


class KeyStream:
    """Made inside the trace from a traced key."""

    def __init__(self, key):
        self._key = key

    def __iter__(self):
        return self

    def __next__(self):
        self._key, sub = jax.random.split(self._key)
        return sub


def layers(x, n):
    for i in range(n):
        x = jnp.sin(x + i)
        yield x


@jax.jit
def sample_path(key, x):
    keys = KeyStream(key)
    steps = [jax.random.normal(k, x.shape) for k, _ in zip(keys, range(3))]
    *_, last = layers(x, 2)
    first = next(layers(x, 1))
    noise = (s * 0.1 for s in steps)
    return last + first + next(noise) + sum(noise, jnp.zeros_like(x))


print(sample_path(jax.random.key(0), jnp.ones(2)).shape)
host = KeyStream(jax.random.key(1))
print(sample_path(next(host), jnp.ones(1)).shape, sample_path(next(host), jnp.ones(1)).shape)
