# category: traced-shape
import jax
import jax.numpy as jnp


class Filter:
    def __init__(self, noise):
        self.noise = noise

    def effective_size(self, weights):
        return (1.0 / jnp.sum(weights**2)).astype(int)

    def resample(self, key, particles, weights):
        n = self.effective_size(weights)
        return jax.random.choice(key, particles, shape=(n,), p=weights)  #! OAK211  #~ TracerBoolConversionError


pf = Filter(0.1)
resample = jax.jit(pf.resample)
print(resample(jax.random.key(0), jnp.arange(4.0), jnp.full(4, 0.25)))
