# category: clean/dtype-mismatch
# Each device gets a key of its own, or a copy of one, and its row of what is mapped.
import jax
import jax.numpy as jnp


def step(rng, weights, batch):
    return batch @ weights + jax.random.normal(rng, (2,))


def train(rng, batches):
    count = jax.local_device_count()
    parallel_step = jax.pmap(step, axis_name="batch")
    weights = jnp.stack([jnp.ones((3, 2))] * count)
    for batch in batches:
        rng, step_rng = jax.random.split(rng)
        rngs = jax.random.split(step_rng, count)
        out = parallel_step(rngs, weights, jnp.broadcast_to(batch, (count, 3)))
    return out[0] + jnp.ones(2)


def train_with_one(rng, batch):
    parallel_step = jax.pmap(step, axis_name="batch", in_axes=(None, None, 0))
    return parallel_step(rng, jnp.ones((3, 2)), jnp.stack([batch] * jax.local_device_count()))


def copied(rng, batch):
    count = jax.local_device_count()
    rngs = jnp.stack([rng] * count)

    def noisy(rng, x):
        own = jax.random.fold_in(rng, jax.lax.axis_index("batch"))
        return x + jax.random.normal(own, x.shape)

    return jax.pmap(noisy, axis_name="batch")(rngs, jnp.broadcast_to(batch, (count, 3)))


first, second, third = jax.random.split(jax.random.PRNGKey(0), 3)
train(first, [jnp.ones(3), jnp.zeros(3)])
train_with_one(second, jnp.ones(3))
copied(third, jnp.ones(3))
