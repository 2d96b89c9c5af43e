# category: gradient-type
"""A test of the result's dtype keeps complex results from `grad`; without it that raises."""

import jax
import jax.numpy as jnp


def by_parts(f):
    def derivative(x):
        if jnp.isrealobj(jax.eval_shape(f, x)):
            return jax.grad(f)(x)
        real = jax.grad(lambda x: jnp.real(f(x)))(x)
        return real + 1j * jax.grad(lambda x: jnp.imag(f(x)))(x)

    return derivative


def wave(x):
    return jnp.exp(1j * x)


def needs_parts(f, x):
    if jnp.iscomplexobj(jax.eval_shape(f, x)):
        return by_parts(f)(x)
    return jax.grad(f)(x)


print(by_parts(wave)(1.0), by_parts(jnp.sin)(1.0), needs_parts(wave, 2.0))
print(jax.grad(wave)(1.0))  #! OAK601 #~ TypeError
