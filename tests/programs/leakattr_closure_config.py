# category: leak-attribute
from types import SimpleNamespace

import jax
import jax.numpy as jnp

monitor = SimpleNamespace(enabled=True, last_energy=0.0, calls=0)


def potential(q):
    return 0.5 * jnp.sum(q**2)


def leapfrog(q, p, eps, n):
    def half(i, qp):
        q, p = qp
        p = p - eps * jax.grad(potential)(q)
        return q + eps * p, p

    q, p = jax.lax.fori_loop(0, n, half, (q, p))
    if monitor.enabled:
        monitor.calls += 1  #? OAK112
        monitor.last_energy = potential(q) + 0.5 * jnp.sum(p**2)  #! OAK103
    return q, p


step = jax.jit(leapfrog, static_argnums=3)
q, p = step(jnp.ones(2), jnp.zeros(2), 0.1, 3)
print(q, monitor.calls)
print(jnp.abs(monitor.last_energy))  #~ UnexpectedTracerError
