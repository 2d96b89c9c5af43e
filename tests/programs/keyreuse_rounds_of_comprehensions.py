# category: silent/key-reuse
import jax


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


source = Source(0)
print([source.draw(2) for _ in range(30)], restart(3, ["a", "b"]))
