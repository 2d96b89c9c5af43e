# category: silent/key-reuse
import equinox as eqx
import jax
import jax.numpy as jnp


class Vae(eqx.Module):
    mean: eqx.nn.Linear
    spread: eqx.nn.Linear

    def __init__(self, key):
        self.mean = eqx.nn.Linear(4, 2, key=key)
        self.spread = eqx.nn.Linear(4, 2, key=key)  #! OAK401

    def __call__(self, x, key):
        return self.mean(x) + jnp.exp(self.spread(x)) * jax.random.normal(key, (2,))


model_key, noise_key = jax.random.split(jax.random.key(0))
vae = Vae(model_key)
assert bool((vae.mean.weight == vae.spread.weight).all())
print(vae(jnp.ones(4), noise_key))
