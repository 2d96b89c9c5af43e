# category: python-branch-on-tracer
"""jacfwd and hessian push basis vectors with vmap; grad of the same function is fine."""

import jax
import jax.numpy as jnp


def huber(r, delta=1.0):
    return jnp.where(jnp.abs(r) < delta, 0.5 * r**2, delta * (jnp.abs(r) - 0.5 * delta))


@jax.jit
def penalty(w):
    return 0.01 * jnp.sum(w**2)


def objective(w, x):
    loss = huber(x @ w).sum()
    reg = penalty(w)
    return loss + reg


def newton_step(w, x):
    g, h = jax.grad(objective)(w, x), jax.hessian(objective)(w, x)
    d = jnp.linalg.solve(h + 0.1 * jnp.eye(len(w)), g)
    return w - d if g @ d > 0 else w - 0.1 * g  #! OAK201 #~ TracerBoolConversionError


w, x = jnp.ones(2), jnp.ones((3, 2))
print(newton_step(w, x))
many = jax.vmap(newton_step, in_axes=(0, None))
print(many(jnp.stack([w, 2 * w]), x))
