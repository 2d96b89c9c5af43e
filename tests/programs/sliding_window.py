# category: traced-slice-bound
import jax
import jax.numpy as jnp


def moving_average(series, window):
    padded = jnp.pad(series, (2, 2))
    at = lambda i: padded[i : i + window].mean()  #! OAK214  #~ IndexError
    return jax.vmap(at)(jnp.arange(series.shape[0]))


print(moving_average(jnp.arange(6.0), 3))
