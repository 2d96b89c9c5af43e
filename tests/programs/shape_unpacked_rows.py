# category: shape-mismatch
"""Training that asks for more keys than it has names for."""

import jax
import jax.numpy as jnp


def update(key, state):
    critic_key, actor_key = jax.random.split(key, num=4)  #! OAK501 #~ ValueError
    noise = jax.random.normal(critic_key, state.shape)
    return state + noise * jax.random.uniform(actor_key)


class Buffer:
    def __init__(self, key):
        self.key = key

    def sample(self, rows):
        self.key, first, *rest = jax.random.split(self.key)
        return jax.random.choice(first, rows, (2,)), rest


def ends(rows):
    first, *middle, last = rows
    return first + last


def corners():
    low, high, middle = jnp.linspace(0.0, 1.0, 5).reshape(5, 1)  #! OAK501
    return low, high, middle


def pairs(points):
    total = 0.0
    for x, y in points:
        total = total + x * y
    return total


print(Buffer(jax.random.key(1)).sample(jnp.arange(9))[1], ends(jnp.arange(6.0)))
print(pairs(jnp.ones((3, 2))), pairs([(1.0, 2.0)]))
update(jax.random.key(0), jnp.zeros(3))
