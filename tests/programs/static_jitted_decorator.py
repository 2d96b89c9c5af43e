# category: traced-static-argument
import functools

import jax
import jax.numpy as jnp


def compiled(*static):
    """`@compiled("n")` marks arguments as static."""

    def wrap(fn):
        fast = jax.jit(fn, static_argnames=static)

        @functools.wraps(fn)
        def call(*args, **kwargs):
            return fast(*args, **kwargs)  #| OAK212 #~ ValueError

        return call

    return wrap


@compiled("n")
def fourier(x, n):
    return jnp.stack([jnp.sin(k * x) for k in range(n)])


@compiled()
def features(x, n):
    return fourier(x, n=n).sum(0)  #| OAK212


print(fourier(jnp.ones(2), n=3).shape)
print(features(jnp.ones(2), 3))
