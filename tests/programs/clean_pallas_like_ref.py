# category: clean/inplace-mutation
"""Mutable references of JAX take item assignment."""

import jax
import jax.numpy as jnp


@jax.jit
def accumulate(xs):
    total = jax.new_ref(jnp.zeros(xs.shape[1:]))
    counts = jax.new_ref(jnp.zeros((), jnp.int32))

    def body(i, _):
        total[...] += xs[i]
        counts[...] = counts[...] + 1
        return ()

    jax.lax.fori_loop(0, xs.shape[0], body, ())
    total[0] = total[0] * 2
    return total[...], counts[...]


print(accumulate(jnp.arange(6.0).reshape(3, 2)))
