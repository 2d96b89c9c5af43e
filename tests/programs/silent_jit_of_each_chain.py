# category: silent/jit-in-loop
import functools

import jax
import jax.numpy as jnp


def waited(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return jax.block_until_ready(function(*args, **kwargs))

    return inner


@waited
def chain(seed, width):
    key = jax.random.key(seed)

    @jax.jit  #! OAK307
    def proposal(key, x):
        return x + width * jax.random.normal(key, x.shape)

    x = jnp.zeros(2)
    for i in range(3):
        x = proposal(jax.random.fold_in(key, i), x)
    return x


def main():
    chains = [chain(seed, 0.3) for seed in range(3)]
    print(jnp.stack(chains).mean(axis=0))


main()
