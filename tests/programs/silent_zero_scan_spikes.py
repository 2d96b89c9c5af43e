# category: silent/zero-gradient
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Neuron:
    decay: float = 0.9
    threshold: float = 0.5

    def __call__(self, potential, current):
        potential = self.decay * potential + current
        fired = (potential > self.threshold).astype(jnp.float32)  #! OAK603
        return potential * (1.0 - fired), fired


def loss(params, neuron, inputs):
    currents = inputs @ params["w"]
    _, spikes = jax.lax.scan(neuron, jnp.zeros(currents.shape[1]), currents)
    return jnp.sum((spikes.mean(axis=0) - 0.2) ** 2)


@jax.jit
def step(params, inputs):
    def bins(params):
        rates = jax.lax.map(lambda row: row * jnp.floor(params["w"][:, 0]), inputs)  #! OAK603
        return jnp.sum(rates)

    return jax.grad(bins)(params)


params, inputs = {"w": jnp.ones((5, 3))}, jnp.ones((30, 5))
value, gradient = jax.value_and_grad(loss)(params, Neuron(), inputs)
assert jnp.all(gradient["w"] == 0)
assert jnp.all(step(params, inputs)["w"] == 0)
