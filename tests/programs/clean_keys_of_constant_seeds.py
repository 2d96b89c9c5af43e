# category: clean/key-reuse
"""Keys of constant seeds that become others for each element, or in each iteration."""

import jax
import jax.numpy as jnp


class Queue:
    @staticmethod
    @jax.jit
    def flatten(rows, key):
        return rows + jax.random.categorical(key, jnp.zeros(100))

    def sample(self, batch):
        keys = jax.random.split(jax.random.PRNGKey(0), batch.shape[0])
        return jax.vmap(Queue.flatten)(batch, keys)


def step(position, index):
    key = jax.random.fold_in(jax.random.key(1), index)
    return position + jax.random.normal(key, (2,)), None


def seeded(seed):
    return jax.random.normal(jax.random.key(seed))


@jax.jit
def start(size):
    return size * jax.random.normal(jax.random.key(3), (2,))


print(Queue().sample(jnp.zeros((8, 3))))
print(jax.lax.scan(step, start(2.0), jnp.arange(3))[0], jax.vmap(seeded)(jnp.arange(3)))
