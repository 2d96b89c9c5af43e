# category: dtype-mismatch
import jax
import jax.numpy as jnp


def turned(cloud, key):
    return cloud @ jax.random.orthogonal(key, 2)


def jittered(cloud, key):
    return cloud + jax.random.normal(key, cloud.shape)  #! OAK502 #~ TypeError


key = jax.random.PRNGKey(0)
key, subkey = jax.random.split(key)
clouds = jnp.ones((2, 5, 2))
print(jax.vmap(turned, in_axes=(0, None))(clouds, key).shape)
print(jax.vmap(jittered)(clouds, subkey).shape)
