# category: silent/key-reuse
import jax
import jax.numpy as jnp
from jax import random


def orders(key, size):
    first = random.permutation(key, size)
    return first, random.permutation(key, size)  #! OAK401


def epochs(key, data):
    for _ in range(2):
        data = random.permutation(key, data)  #! OAK401
    return data


def noisy_order(key, data):
    data = random.permutation(key, data)
    return data + random.normal(key, data.shape)  #! OAK401


print(orders(random.key(0), 5)[0].shape)
print(epochs(random.key(1), jnp.arange(4)).shape)
print(jax.jit(noisy_order)(random.key(2), jnp.arange(4.0)).shape)
