# category: range-of-tracer
import functools

import jax
import jax.numpy as jnp


def compiled(**jit_options):
    def decorate(f):
        @functools.wraps(f)
        def call(*args, **kwargs):
            return jax.jit(f, **jit_options)(*args, **kwargs)

        return call

    return decorate


@compiled(static_argnames=("kind",))
def horner(coefficients, x, degree, kind="real"):
    total = jnp.zeros_like(x)
    for k in range(degree, -1, -1):  #! OAK205  #~ TracerIntegerConversionError
        total = total * x + coefficients[k]
    return total


print(horner(jnp.ones(3), jnp.arange(2.0), 2, kind="real"))
