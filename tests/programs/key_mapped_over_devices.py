# category: dtype-mismatch
# pmap goes over the words of one raw key: each device gets a number, and no key.
import jax
import jax.numpy as jnp


def step(rng, batch):
    return batch + jax.random.normal(rng, batch.shape)  #! OAK502 #~ TypeError


def train(rng, batches):
    parallel_step = jax.pmap(step, axis_name="batch")
    for batch in batches:
        rng, step_rng = jax.random.split(rng)
        batch = parallel_step(step_rng, batch)
    return batch


train(jax.random.PRNGKey(0), [jnp.ones((2, 3))])
