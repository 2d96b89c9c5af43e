# category: clean/shape-mismatch
"""Rows of arrays that are unpacked into as many names, or into what a star takes."""

import jax
import jax.numpy as jnp


def draw(key, count):
    first, second, third = jax.random.split(key, 3)
    *parts, last = jax.random.split(first, count)
    (inner, outer), other = jax.random.split(second), third
    return sum(jax.random.normal(part) for part in parts), last, inner, outer, other


def bounds(box):
    (left, right), (low, high) = box
    return (right - left) * (high - low)


def shaped(x):
    rows, columns = x.shape
    first, *_ = x
    return first, rows * columns


@jax.jit
def eigen(matrix):
    values, vectors = jnp.linalg.eigh(matrix)
    low, high = values
    return high - low, vectors


print(draw(jax.random.key(0), 5)[0], bounds(jnp.arange(4.0).reshape(2, 2)))
print(shaped(jnp.ones((1, 4))), eigen(jnp.eye(2))[0])
for i, (x, y, z) in enumerate(jnp.zeros((4, 3))):
    print(i, x + y + z)
