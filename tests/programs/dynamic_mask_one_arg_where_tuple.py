# category: dynamic-shape-op
import jax
import jax.numpy as jnp
from jax import lax


def crossings(y):
    (where,) = jnp.where(jnp.sign(y[1:]) != jnp.sign(y[:-1]))  #! OAK210 16 #~ ConcretizationTypeError
    return where


def first_crossing(t, y, *, fallback=-1.0):
    idx = crossings(y)
    return lax.cond(y[0] * y[-1] < 0, lambda: t[idx[0]], lambda: fallback)


def shooting(slopes):
    t = jnp.linspace(0.0, 1.0, 5)
    solve = lambda s: first_crossing(t, 0.5 - s * t)
    return jax.vmap(solve)(slopes)


t = jnp.linspace(0.0, 1.0, 5)
print(crossings(jnp.cos(6 * t)))
print(shooting(jnp.array([1.0, 2.0])))
