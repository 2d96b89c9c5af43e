# category: clean/leak-container
import jax
import jax.numpy as jnp


def nests(count):
    for number in range(count):
        ring = [number]
        ring.append(ring)
        table = {"number": number}
        table["itself"] = table
        yield ring, table
        yield [ring, table]


@jax.jit
def total(x):
    kept = []
    for first, *_ in nests(2):
        kept.append(x)
    return sum(kept) + len(kept)


print(total(jnp.ones(2)))
