# category: clean/key-reuse
import jax
import jax.numpy as jnp


class Source:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def draw(self, n):
        self.key, part = jax.random.split(self.key)
        return jax.random.normal(part, (n,))


def stream(seed):
    key = jax.random.key(seed)

    def draw(n):
        nonlocal key
        key, part = jax.random.split(key)
        return jax.random.uniform(part, (n,))

    return draw


SHARED = jax.random.key(9)


def shared():
    global SHARED
    SHARED, part = jax.random.split(SHARED)
    return jax.random.normal(part)


def batches(source, n):
    return jnp.stack([source.draw(2) for _ in range(n)])


streams = [stream(seed) for seed in range(3)]
print(batches(Source(0), 4), sum(shared() for _ in range(20)))
print([draw(2) for draw in streams for _ in range(2)])
print({k: v for k, v in ((k, Source(k).draw(1)) for k in range(18))})
print({name: draw(k) for k, name in enumerate("ab") for draw in streams})
