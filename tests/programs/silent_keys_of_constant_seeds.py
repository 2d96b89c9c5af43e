# category: silent/key-reuse
"""Keys of constant seeds in functions that run for each element, or in each iteration."""

import jax
import jax.numpy as jnp


class Queue:
    @staticmethod
    @jax.jit
    def flatten(rows):
        index = jax.random.categorical(jax.random.PRNGKey(0), jnp.zeros(100))  #! OAK401
        return rows + index

    def sample(self, batch):
        return jax.vmap(Queue.flatten)(batch)


def step(position, _):
    noise = jax.random.normal(jax.random.key(1), (2,))  #! OAK401
    return position + noise, noise


batch = Queue().sample(jnp.zeros((8, 3)))
assert (batch == batch[0]).all()
_, noises = jax.lax.scan(step, jnp.zeros(2), None, 3)
assert (noises == noises[0]).all()
