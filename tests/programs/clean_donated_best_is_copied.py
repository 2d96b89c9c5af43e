# category: clean/use-after-donate
from functools import partial

import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(0.1)


def loss(params, x):
    return jnp.sum((params["w"] * x) ** 2)


@partial(jax.jit, donate_argnums=(0, 1))
def step(params, state, x):
    value, slope = jax.value_and_grad(loss)(params, x)
    updates, state = optimizer.update(slope, state, params)
    return optax.apply_updates(params, updates), state, value


class Best:
    def __init__(self):
        self.params, self.value = None, jnp.inf

    def offer(self, params, value):
        if value < self.value:
            self.params, self.value = params, value

    def scaled(self):
        return jax.tree.map(lambda leaf: leaf.tolist(), self.params)


best = Best()
params = {"w": jnp.ones(4)}
state = optimizer.init(params)
for k in range(3):
    before = params
    best.offer(jax.tree.map(jnp.copy, before), 1.0 - k)
    params, state, value = step(params, state, jnp.ones(4))
print(best.scaled())
