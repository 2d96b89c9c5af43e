# category: silent/leak-iterator
import itertools

import jax
import jax.numpy as jnp


class Dropout:
    def __init__(self, rate, seed=0):
        self.rate = rate
        self.counter = itertools.count(seed)

    def __call__(self, x):
        key = jax.random.key(next(self.counter))  #! OAK105
        keep = jax.random.bernoulli(key, 1 - self.rate, x.shape)
        return jnp.where(keep, x / (1 - self.rate), 0.0)


drop = Dropout(0.5)
apply = jax.jit(lambda x: drop(x))
print(apply(jnp.ones(4)), apply(jnp.ones(4)))
