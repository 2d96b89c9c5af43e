# category: leak-append
import functools

import jax
import jax.numpy as jnp


def memoize(fn):
    cache = {}

    @functools.wraps(fn)
    def inner(n):
        if n not in cache:
            cache[n] = fn(n)  #! OAK101
        return cache[n]

    return inner


@memoize
def window(n):
    return 0.5 - 0.5 * jnp.cos(2 * jnp.pi * jnp.arange(n) / n)


@jax.jit
def spectrum(x):
    return jnp.abs(jnp.fft.rfft(x * window(x.shape[0])))


print(spectrum(jnp.ones(4)))
print(window(4) * 2.0)  #~ UnexpectedTracerError
