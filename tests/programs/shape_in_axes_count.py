# category: shape-mismatch
import jax
import jax.numpy as jnp


def weighted(w, x, scale):
    return scale * (w @ x)


batched = jax.vmap(weighted, in_axes=(None, 0, None))
print(batched(jnp.eye(2), jnp.ones((3, 2)), 2.0))
print(jax.vmap(weighted, in_axes=(None, 0))(jnp.eye(2), jnp.ones((3, 2)), 2.0))  #! OAK501  #~ ValueError
