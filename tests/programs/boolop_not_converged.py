# category: bool-op-on-tracer
import jax
import jax.numpy as jnp
from typing import NamedTuple


class Status(NamedTuple):
    residual: jax.Array
    iteration: int

    @property
    def converged(self):
        return self.residual < 1e-5


def richardson(a, b, x, max_iter=3):
    status = Status(jnp.inf, 0)
    for it in range(max_iter):
        r = b - a @ x
        status = Status(jnp.linalg.norm(r), it)
        x = x + jnp.where(not status.converged, 0.1, 0.0) * r  #! OAK203 #~ TracerBoolConversionError
    return x, status


a, b = jnp.diag(jnp.array([1.0, 2.0])), jnp.ones(2)
print(richardson(a, b, jnp.zeros(2))[0])
solve = jax.jit(richardson, static_argnames="max_iter")
print(solve(a, b, jnp.zeros(2), max_iter=4))
