# category: clean/key-reuse
import jax
import jax.numpy as jnp

LENGTHS = (2, 3)


def filled(key):
    """Each sequence has rows of the same split: for its keys, and for its values."""
    keys, values = [], []
    for at, length in enumerate(LENGTHS):
        keys.append(jax.random.normal(jax.random.split(key, 2 * len(LENGTHS))[at], (length,)))
        values.append(
            jax.random.normal(jax.random.split(key, 2 * len(LENGTHS))[at + len(LENGTHS)], (length,))
        )
    return jnp.concatenate(keys), jnp.concatenate(values)


print(filled(jax.random.key(42)))
