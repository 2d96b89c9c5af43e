# category: silent/key-reuse
import jax
import jax.numpy as jnp


class Source:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def draw(self, n):
        part, _ = jax.random.split(self.key)  #! OAK401
        return jax.random.normal(part, (n,))


def restart(n, names):
    key = jax.random.key(n)
    first = [jax.random.normal(key) for _ in range(n)]  #! OAK401
    other = jax.random.key(n + 1)
    return first, {name: jax.random.uniform(other) for name in names}  #! OAK401


def sampled(key, states, rows):
    return [jax.random.choice(key, states, (3,), p=row) for row in rows]  #! OAK401


def orders(key, states, count):
    return [jax.random.permutation(key, states) for _ in range(count)]  #! OAK401


def aligned(key, arrays):
    return [jax.random.permutation(key, array) for array in arrays]


source = Source(0)
print([source.draw(2) for _ in range(30)], restart(3, ["a", "b"]))
states, keys = jnp.arange(2), jax.random.split(jax.random.key(7), 3)
print(sampled(keys[0], states, [jnp.array([0.5, 0.5]), jnp.array([0.1, 0.9])]))
print(orders(keys[1], states, 2), aligned(keys[2], [states, states + 1]))
