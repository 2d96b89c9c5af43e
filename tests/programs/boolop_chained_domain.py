# category: bool-op-on-tracer
import functools

import jax
import jax.numpy as jnp


def checked(lo, hi):
    """Decorator: keeps the argument inside a domain."""

    def wrap(f):
        @functools.wraps(f)
        def inner(x, *args):
            inside = lo <= x <= hi  #! OAK203 #~ TracerBoolConversionError
            return jnp.where(inside, f(x, *args), jnp.nan)

        return inner

    return wrap


@checked(-1.0, 1.0)
def legendre2(x):
    return 0.5 * (3 * x**2 - 1)


@checked(0.0, 10.0)
def decay(t, rate):
    return jnp.exp(-rate * t)


print(legendre2(0.3), decay(1.0, 0.5))
print(jax.hessian(legendre2)(0.3))
print(jax.vmap(decay, in_axes=(0, None))(jnp.array([0.5, 20.0]), 1.0))
