# category: range-of-tracer
"""Options that come in a dict are known where the dict is: these make `degree` static, and not `steps`."""

import jax
import jax.numpy as jnp

COMMON = {"keep_unused": True}
BY_NAME = dict(COMMON, static_argnames=("degree",))


def basis(x, degree):
    return jnp.stack([x**k for k in range(degree)])


def relax(x, steps):
    for _ in range(steps):  #! OAK205  #~ TracerIntegerConversionError
        x = x - 0.1 * jnp.tanh(x)
    return x


features = jax.jit(basis, **BY_NAME)
settle = jax.jit(relax, **COMMON)

x = jnp.arange(3.0)
print(features(x, degree=3).shape)
print(settle(x, 4))
