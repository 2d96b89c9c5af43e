# category: clean/key-reuse
"""A key for each leaf of a tree, and for each call of a function in a comprehension."""

import sys

import jax
import jax.numpy as jnp


def perturbed(key, params):
    leaves, structure = jax.tree.flatten(params)
    keys = jax.tree.unflatten(structure, [*jax.random.split(key, len(leaves))])
    return jax.tree.map(lambda p, k: p + jax.random.normal(k, p.shape), params, keys)


def shuffled(key, batch):
    return jax.tree.map(lambda x: jax.random.permutation(key, x), batch)


def numbered(key, widths):
    def layer(number, width):
        return jax.random.normal(jax.random.fold_in(key, number), (width,))

    return [layer(number, width) for number, width in enumerate(widths)]


def split(key, counts):
    def drawn(rng, count):
        return jax.random.randint(rng, (3,), 0, count)

    keys = jax.random.split(key, len(counts))
    return [drawn(rng, count) for rng, count in zip(keys, counts, strict=True)]


def call(name, *arguments):
    return getattr(sys.modules[__name__], name)(*arguments)


params = {"a": jnp.ones(2), "b": jnp.ones(2)}
print(call("perturbed", jax.random.key(0), params), call("shuffled", jax.random.key(1), params))
print(call("numbered", jax.random.key(2), (1, 2)), call("split", jax.random.key(3), (4, 4)))
