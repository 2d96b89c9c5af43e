# category: clean/leak-append
import jax
import jax.numpy as jnp

REGISTRY = {}
REGISTRY["all"] = REGISTRY


@jax.jit
def step(x):
    REGISTRY["last"] = x
    y = REGISTRY["all"]["last"] * 2.0
    del REGISTRY["last"]
    return y


print(step(jnp.ones(2)), list(REGISTRY))
