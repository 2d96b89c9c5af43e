# category: clean/key-reuse
import jax
import jax.numpy as jnp


def resampled(key, count, members):
    return jax.tree.map(lambda leaf: jax.random.choice(key, leaf, (count,)), members)


def bootstrap(key, batch):
    rows, noise = jax.random.split(key)
    inputs = jax.random.choice(rows, batch["inputs"], (4,))
    targets = jax.random.choice(rows, batch["targets"], (4,))
    return inputs + 0.0 * jax.random.normal(noise, inputs.shape), targets


batch = {"inputs": jnp.arange(6.0), "targets": 2 * jnp.arange(6.0)}
inputs, targets = bootstrap(jax.random.key(0), batch)
assert jnp.allclose(2 * inputs, targets)
members = resampled(jax.random.key(1), 3, batch)
assert (2 * members["inputs"] == members["targets"]).all()
