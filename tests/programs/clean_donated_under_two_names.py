# category: clean/deleted-array
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=(0, 1))
def advance(params, average):
    params = jax.tree.map(lambda p: 0.9 * p, params)
    return params, jax.tree.map(lambda a, p: 0.99 * a + 0.01 * p, average, params)


def start(seed):
    return {"w": jnp.full((4, 4), seed), "b": jnp.zeros(4)}


params = start(1.0)
average = jax.tree.map(jnp.copy, params)
for _ in range(3):
    params, average = advance(params, average)

networks = [start(float(seed)) for seed in range(3)]
one, two = networks[0], networks[-1]
one, two = advance(one, two)
by_name = {name: start(2.0) for name in ("online", "target")}
online, target = by_name["online"], by_name["target"]
online, target = advance(online, target)
print(average["w"].sum(), two["w"].sum(), target["b"].sum())
