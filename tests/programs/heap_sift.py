# category: traced-slice-bound
import jax
import jax.numpy as jnp


def insert_sorted(buffer, item):
    place = jnp.searchsorted(buffer, item)
    return jnp.concatenate([buffer[:place], item[None], buffer[place:-1]])  #! OAK214  #~ IndexError


queue, _ = jax.lax.scan(lambda q, item: (insert_sorted(q, item), None), jnp.full(4, jnp.inf), jnp.array([3.0, 1.0]))
print(queue)
