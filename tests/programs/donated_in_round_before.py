# category: use-after-donate
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnames=("table",))
def smooth(table, weight):
    return {name: row * weight for name, row in table.items()}


def sweep(table, weights):
    results = []
    for weight in weights:
        results.append(table["low"].tolist())  #! OAK701 #~ RuntimeError
        softer = smooth(table, weight)  #? OAK701
        results.append(softer["high"].sum())
    return results


def sample(table):
    if jnp.isfinite(table["low"]).all():
        for k in range(12):
            table = smooth(table, 1.0 / (k + 1))
    return table


print(sample({"low": jnp.ones(5), "high": jnp.zeros(7)})["low"])
print(sweep({"low": jnp.ones(5), "high": jnp.zeros(7)}, jnp.linspace(0.1, 0.9, 12)))
