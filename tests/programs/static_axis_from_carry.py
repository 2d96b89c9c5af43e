# category: traced-static-argument
import jax
import jax.numpy as jnp


def normalize_along(x, axis):
    return x / jnp.sum(x, axis=axis, keepdims=True)  #! OAK212 #~ ConcretizationTypeError


def sinkhorn(k, iterations=4):
    """Alternates row and column normalization."""

    def body(i, m):
        return normalize_along(m, i % 2)

    return jax.lax.fori_loop(0, iterations, body, k)


def sinkhorn_unrolled(k, iterations=4):
    for i in range(iterations):
        k = normalize_along(k, i % 2)
    return k


k = jnp.ones((2, 3))
print(sinkhorn_unrolled(k))
print(sinkhorn(k))
