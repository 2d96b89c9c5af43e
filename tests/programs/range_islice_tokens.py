# category: range-of-tracer
import itertools

import jax
import jax.numpy as jnp

PRIMES = (2.0, 3.0, 5.0, 7.0, 11.0)


def halton_bases(dim):
    return list(itertools.islice(PRIMES, dim))  #! OAK205 #~ ValueError


def weights(x, dim):
    bases = halton_bases(dim)
    return jnp.stack([x / b for b in bases]).sum()


print(weights(1.0, 2))
print(jax.jit(weights)(1.0, 3))
