# category: silent/key-reuse
import jax
from jax import random
from jax.random import PRNGKey, normal


def init(key, sizes):
    weights = []
    for m, n in zip(sizes[:-1], sizes[1:]):
        weights.append(normal(key, (m, n)))  #! OAK401
    return weights


def draw_then_split(key):
    start = random.uniform(shape=(2,), key=key)
    left, right = random.split(key)  #! OAK401
    return start, left, right


class Sampler:
    def __init__(self, seed):
        self.key = PRNGKey(seed)

    def advance(self):
        self.key, part = random.split(self.key)
        return normal(part)


def body(i, carry):
    key, total = carry
    return key, total + normal(key)  #! OAK401


def advancing(i, carry):
    key, total = carry
    key, part = random.split(key)
    return key, total + normal(part)


init(PRNGKey(0), (2, 3, 4, 5))
draw_then_split(PRNGKey(1))
sampler = Sampler(2)
print(sampler.advance() != sampler.advance())
jax.lax.fori_loop(0, 4, body, (random.key(1), 0.0))
jax.lax.fori_loop(0, 4, advancing, (random.key(1), 0.0))
keys = random.split(random.key(3), 4)
print(normal(keys[0]) + normal(keys[1]) == normal(keys[-4]))  #! OAK401
