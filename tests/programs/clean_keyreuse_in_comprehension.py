# category: clean/key-reuse
import jax


def init_layers(rngs, sizes):
    return [jax.random.normal(rng, (size,)) for rng, size in zip(rngs, sizes)]


def init_heads(rng, widths):
    return [jax.random.normal(jax.random.fold_in(rng, i), (w,)) for i, w in enumerate(widths)]


def init_tables(rng, sizes):
    keys = jax.random.split(rng, len(sizes))
    return [jax.random.normal(keys[i], (size,)) for i, size in enumerate(sizes)]


def orders(rng, columns):
    return {name: jax.random.permutation(rng, column) for name, column in columns.items()}
