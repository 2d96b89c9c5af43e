# category: list-index-by-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class Mixture(eqx.Module):
    experts: list
    router: eqx.nn.Linear

    def __init__(self, width, count, key):
        *keys, router_key = jax.random.split(key, count + 1)
        self.experts = [eqx.nn.Linear(width, width, key=k) for k in keys]
        self.router = eqx.nn.Linear(width, count, key=router_key)

    def __call__(self, x):
        chosen = jnp.argmax(self.router(x))
        return self.experts[chosen](x)  #! OAK206  #~ TracerIntegerConversionError


model = Mixture(3, 2, jax.random.key(0))
print(eqx.filter_jit(model)(jnp.ones(3)))
