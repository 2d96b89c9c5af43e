# category: inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


def pairwise(f, xs):
    n = len(xs)
    gram = np.zeros((n, n), np.float32)
    for i in range(n):
        for k in range(i + 1):
            gram[i, k] = f(xs[i], xs[k])  #! OAK215 #~ ValueError
    return gram


def rbf(length):
    return lambda a, b: jnp.exp(-0.5 * jnp.sum((a - b) ** 2) / length**2)


def log_det(length, xs):
    k = pairwise(rbf(length), xs)
    return jnp.linalg.slogdet(k + jnp.eye(len(xs)))[1]


xs = np.linspace(0, 1, 3)
print(log_det(0.5, xs))
print(jax.grad(log_det)(0.5, xs))
