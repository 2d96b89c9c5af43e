# category: clean/dtype-mismatch
import jax
import jax.numpy as jnp


def jittered(cloud, key):
    return cloud + jax.random.normal(key, cloud.shape)


def seeded(cloud, word):
    return jittered(cloud, jax.random.fold_in(jax.random.PRNGKey(3), word))


key = jax.random.PRNGKey(0)
key, first, second, third = jax.random.split(key, 4)
clouds = jnp.ones((2, 5, 2))
print(jax.vmap(jittered)(clouds, jax.random.split(first, 2)).shape)
print(jax.vmap(jittered, in_axes=(0, None))(clouds, second).shape)
print(jax.lax.map(lambda part: jax.random.normal(part, (3,)), jax.random.split(third, 2)).shape)
print(jax.vmap(seeded)(clouds, jax.random.key_data(key)).shape)
