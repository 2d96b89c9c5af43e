# category: python-loop-on-tracer
import jax
import jax.numpy as jnp
import jax.random as jr


def knuth_poisson(key, rate):
    """Multiplies uniforms until the product drops below exp(-rate)."""
    limit = jnp.exp(-rate)
    k, p = 0, 1.0
    while True:
        key, sub = jr.split(key)
        p = p * jr.uniform(sub)
        if p < limit:  #! OAK201 12 #~ TracerBoolConversionError
            break
        k += 1
    return k


class PoissonNoise:
    def __init__(self, rate):
        self.rate = rate

    def sample(self, key):
        return knuth_poisson(key, self.rate)

    def __call__(self, key, x):
        keys = jr.split(key, x.shape[0])
        return x + jax.vmap(self.sample)(keys)


noise = PoissonNoise(2.0)
print(noise.sample(jr.key(0)))
print(noise(jr.key(0), jnp.zeros(4)))
