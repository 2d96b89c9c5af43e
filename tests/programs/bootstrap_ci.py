# category: traced-static-argument
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="draws")
def bootstrap(key, data, draws):
    keys = jax.random.split(key, draws)
    return jax.vmap(lambda k: jax.random.choice(k, data, data.shape).mean())(keys)


@jax.jit
def interval(key, data, draws, level):
    means = bootstrap(key, data, draws=draws)  #! OAK212  #~ ValueError
    return jnp.quantile(means, level), jnp.quantile(means, 1 - level)


print(interval(jax.random.key(0), jnp.arange(5.0), 8, 0.05))
