# category: clean/key-truth
"""What is asked for its truth is a seed, a name or a flag; a key is asked whether it is None."""

import sys

import jax
import jax.numpy as jnp


def from_seed(width, seed=None):
    if not seed:
        seed = 7
    return jax.random.normal(jax.random.key(seed), (width,))


def entry(table, key=None):
    if key:
        return table[key]
    return sum(table.values())


def from_key(width, key: jax.Array | None = None):
    if key is None:
        key = jax.random.key(1)
    return jax.random.normal(key, (width,))


def scaled(x, mask: jax.Array | None = None, by: float | jax.Array | None = None):
    mask = jnp.ones_like(x) if mask is None else mask
    return x * mask * (by or 1.0)


@jax.jit
def shifted(x, _offset=1.0, options=None):
    x = x + _offset
    if options:
        x = x * options["scale"]
    return x


def _doubled(x, twice=True):
    return 2 * x if twice else x


doubled = jax.jit(_doubled)


def main(*names):
    library = sys.modules[__name__]
    for name, *arguments in names:
        print(getattr(library, name)(*arguments))


main(
    ("from_seed", 2, 3),
    ("entry", {"a": 1.0, "b": 2.0}, "b"),
    ("from_key", 2, jax.random.key(3)),
    ("scaled", jnp.ones(2), jnp.zeros(2), 2.0),
    ("shifted", jnp.ones(2), 2.0, {"scale": 3.0}),
    ("doubled", jnp.ones(2)),
)
