# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


class Augment:
    names = ("flip", "jitter")

    def flip(self, image, key):
        return image[:, ::-1]

    def jitter(self, image, key):
        noise = jax.random.normal(key, image.shape)
        return np.clip(image + 0.1 * noise, 0.0, 1.0)  #! OAK208  #~ TracerArrayConversionError

    def __call__(self, image, key):
        for name in self.names:
            image = getattr(self, name)(image, key)
        return image


augment = Augment()
print(jax.vmap(augment, in_axes=(0, None))(jnp.ones((2, 3, 3)), jax.random.key(0)).shape)
