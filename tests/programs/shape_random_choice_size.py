# category: traced-shape
import jax
import jax.numpy as jnp
from jax.random import choice, fold_in, split


def bootstrap(key, data, size, statistic):
    idx = choice(key, len(data), (size,))  #! OAK211 #~ TracerBoolConversionError
    return statistic(data[idx])


def replicate(key, data, size, n=3, statistic=jnp.mean):
    return jnp.stack([bootstrap(fold_in(key, i), data, size, statistic) for i in range(n)])


@jax.jit
def intervals(key, groups):
    out = {}
    for sub, (name, data) in zip(split(key, len(groups)), sorted(groups.items())):
        size = jnp.maximum(jnp.sum(data > 0), 1)
        out[name] = replicate(sub, data, size).std()
    return out


key = jax.random.key(0)
print(replicate(key, jnp.arange(4.0), 4).shape)
print(intervals(key, {"a": jnp.arange(4.0), "b": jnp.ones(3)}))
