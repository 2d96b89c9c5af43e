# category: silent/key-reuse
"""A fit that draws its start where it gets none: the key of the loop is one of two, and each step
draws its noise by what it carries on.
"""

import jax
import jax.numpy as jnp


def fit(key, data, start=None, steps=4):
    if start is None:
        key, part = jax.random.split(key)
        start = jax.random.normal(part, data.shape[1:])

    def objective(params, key):
        batch = jax.random.choice(key, data, (2,))
        return jnp.mean((batch - params) ** 2)

    def update(carry, _):
        params, key = carry
        key, _part = jax.random.split(key)  #! OAK401
        gradient = jax.grad(objective)(params, key)
        return (params - 0.1 * gradient, key), jax.random.key_data(key)

    (params, _), keys = jax.lax.scan(update, (start, key), None, length=steps)
    return params, keys


if __name__ == "__main__":
    table = jnp.arange(12.0).reshape(6, 2)
    print(fit(jax.random.key(0), table)[0], fit(jax.random.key(0), table, jnp.zeros(2))[0])
