# category: range-of-tracer
from functools import partial

import jax
import jax.numpy as jnp


@jax.custom_jvp
def powers(x, order):
    total = jnp.zeros_like(x)
    for k in range(order):  #! OAK205 #~ TracerIntegerConversionError
        total = total + x**k
    return total


@powers.defjvp
def powers_jvp(primals, tangents):
    return powers(*primals), tangents[0]


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def static_powers(x, order):
    return sum(x**k for k in range(order))


@static_powers.defjvp
def static_powers_jvp(order, primals, tangents):
    return static_powers(primals[0], order), tangents[0]


print(powers(2.0, 3), static_powers(2.0, 3))
print(jax.jit(lambda x: static_powers(x, 3))(2.0))
print(jax.jit(lambda x: powers(x, 3))(2.0))
