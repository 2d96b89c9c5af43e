# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np

nodes, weights = np.polynomial.legendre.leggauss(4)


def integrate(f, a, b):
    half, mid = 0.5 * (b - a), 0.5 * (b + a)

    def add(i, total):
        return total + weights[i] * f(mid + half * nodes[i])  #! OAK207  #~ TracerArrayConversionError

    return half * jax.lax.fori_loop(0, len(nodes), add, 0.0)


print(integrate(jnp.exp, 0.0, 1.0))
