# category: clean/jit-in-loop
import jax
import jax.numpy as jnp


def fit(params, data):
    def step(params, data):
        return params - 0.1 * data

    for _ in range(5):
        params = jax.jit(step)(params, data)
    return params


print(fit(jnp.ones(3), jnp.ones(3)))
