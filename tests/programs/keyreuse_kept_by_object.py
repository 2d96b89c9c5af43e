# category: silent/key-reuse
import jax
import jax.numpy as jnp

SHARED = jax.random.key(3)


class Walker:
    def __init__(self, seed):
        self.key = jax.random.key(seed)
        self.fresh = jax.random.key(seed + 1)

    def stride(self, n):
        return jax.random.normal(self.key, (n,))  #! OAK401

    def step(self, n):
        self.fresh, part = jax.random.split(self.fresh)
        return jax.random.normal(part, (n,))


def jitter(x):
    return x + jax.random.uniform(SHARED, x.shape)  #! OAK401


def drawn_from(walker):
    return jax.random.bernoulli(walker.key)


walker = Walker(0)
path = [walker.stride(2), walker.stride(2), walker.step(2), walker.step(2)]
print(path, jitter(jnp.ones(2)), jitter(jnp.zeros(2)))
other = Walker(5)
drawn_from(other)
drawn_from(other)  #! OAK401
