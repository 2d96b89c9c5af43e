# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np


class ArrayDataset:
    def __init__(self, images, labels):
        self.images = np.asarray(images)
        self.labels = jnp.asarray(labels)

    def __len__(self):
        return len(self.images)

    def take(self, idx):
        return self.images[idx], self.labels[idx]  #! OAK207 28 #~ TracerArrayConversionError


data = ArrayDataset(np.ones((8, 3), np.float32), np.arange(8) % 2)


@jax.jit
def stochastic_loss(w, key):
    idx = jax.random.choice(key, len(data), (4,))
    x, y = data.take(idx)
    return jnp.mean((x @ w - y) ** 2)


print(data.take(slice(0, 2))[1])
print(stochastic_loss(jnp.ones(3), jax.random.key(1)))
