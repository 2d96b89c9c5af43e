# category: range-of-tracer
import jax
import jax.numpy as jnp
from jax import vmap


def chebyshev(x, degree):
    """T_degree(x) by the three-term recurrence."""
    prev, cur = jnp.ones_like(x), x
    for _ in range(degree - 1):  #! OAK205 20 #~ TracerIntegerConversionError
        prev, cur = cur, 2 * x * cur - prev
    return cur


def basis(xs, degrees):
    return vmap(lambda d: chebyshev(xs, d))(degrees)


xs = jnp.linspace(-1, 1, 5)
print(chebyshev(xs, 3))
print(basis(xs, jnp.arange(1, 4)))
