# category: clean/numpy-index-by-tracer
import numpy as np
import jax
import jax.numpy as jnp

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)
PERM = np.array([1, 0, 3, 2])


def quadrature(f, a, b):
    half = 0.5 * (b - a)
    total = 0.0
    for i in range(len(NODES)):
        total = total + float(WEIGHTS[i]) * f(half * NODES[i] + 0.5 * (a + b))
    return half * total


@jax.jit
def shuffled_integral(x, scale):
    f = lambda t: jnp.exp(-scale * t**2)
    table = jnp.asarray(NODES)
    picked = table[jnp.clip(x, 0, 3)]
    return quadrature(f, 0.0, 1.0) + picked.sum() + (x[PERM] * WEIGHTS[PERM]).sum() + WEIGHTS[x.ndim]


print(shuffled_integral(jnp.array([0, 3, 1, 2]), 2.0))
