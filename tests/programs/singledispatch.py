# category: scalar-cast-of-tracer
import functools

import jax
import jax.numpy as jnp


@functools.singledispatch
def encode(value):
    return float(value)  #! OAK204  #~ ConcretizationTypeError


@encode.register
def _(value: str):
    return float(len(value))


@encode.register(tuple)
def _(value):
    return sum(encode(v) for v in value)


print(jax.jit(lambda x: encode(("ab", x)))(1.0))
