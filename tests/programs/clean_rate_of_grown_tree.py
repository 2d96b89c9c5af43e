# category: clean/impure-global-read
import jax
import jax.numpy as jnp

rate = 0.1


@jax.jit
def update(params, grads):
    return jax.tree.map(lambda p, g: p - rate * g, params, grads)


params = {"w": jnp.ones(2), "sizes": [jnp.ones(3)]}
params = update(params, jax.tree.map(jnp.ones_like, params))
rate = 0.01
params["v"] = jnp.ones(2)
params = update(params, jax.tree.map(jnp.ones_like, params))
rate = 0.001
params["sizes"].append(jnp.zeros(()))
params = update(params, jax.tree.map(jnp.ones_like, params))
rate = 0.5
params["w"] = params["w"].astype(jnp.bfloat16)
print(update(params, jax.tree.map(jnp.ones_like, params)))
