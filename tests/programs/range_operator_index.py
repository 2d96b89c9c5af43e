# category: range-of-tracer
import operator

import jax
import jax.numpy as jnp


def binary_digits(n, width=4):
    """Little-endian bits of a Python or NumPy integer."""
    n = operator.index(n)  #! OAK205 24 #~ TracerIntegerConversionError
    return [(n >> i) & 1 for i in range(width)]


def hadamard_sign(a, b):
    return (-1) ** sum(x * y for x, y in zip(binary_digits(a), binary_digits(b)))


print([hadamard_sign(1, k) for k in range(4)])
signs = jax.vmap(hadamard_sign, in_axes=(0, None))(jnp.arange(4), 3)
print(signs)
