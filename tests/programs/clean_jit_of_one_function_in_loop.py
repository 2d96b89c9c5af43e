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


@jax.jit
def advance(params, data):
    return params - 0.1 * data


def mapped(params, data):
    return jax.pmap(advance, in_axes=(None, 0))(params, data)


for _ in range(3):
    # What a decorator made is one object too.
    print(mapped(jnp.ones(3), jnp.ones((1, 3))), jax.jit(advance)(1.0, 2.0))
