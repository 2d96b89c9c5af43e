# category: silent/leak-iterator
import jax
import jax.numpy as jnp


def minibatches(data, size):
    for start in range(0, data.shape[0], size):
        yield data[start : start + size]


stream = minibatches(jnp.arange(8.0), 2)


@jax.jit
def step(w):
    batch = next(stream)  #! OAK105
    return w + batch.mean()


w = 0.0
for _ in range(3):
    w = step(w)
print(w)
