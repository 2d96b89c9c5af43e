# category: clean/hash-of-tracer
import jax
import jax.numpy as jnp

_SIZES = {}


def size_of(length, width):
    if (length, width) not in _SIZES:
        _SIZES[length, width] = length * width
    return _SIZES[length, width]


@jax.jit
def couple(blocks, x):
    table = {(0, 1): 0.5, (1, 0): -0.5}
    table[1, 1] = 1.0
    total = 0.0
    for (i, j), weight in table.items():
        total = total + weight * blocks[f"b{i}"] @ blocks[f"b{j}"]
    first = [row for row, _ in table]
    return total, table.get((0, 1)), table.get((2, 2), x), len(first), size_of(*x.shape)


print(couple({"b0": jnp.ones(2), "b1": jnp.arange(2.0)}, jnp.ones((2, 3))))
assert _SIZES.pop((2, 3)) == 6
