# category: boolean-mask-index
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def clip_gradient(x, limit):
    return x


def _fwd(x, limit):
    return x, x.shape


def _bwd(limit, shape, g):
    bad = ~jnp.isfinite(g)
    g = g.at[bad].set(0.0)  #! OAK213 #~ NonConcreteBooleanIndexError
    return (jnp.clip(g, -limit, limit).reshape(shape),)


clip_gradient.defvjp(_fwd, _bwd)


def loss(w, x):
    h = clip_gradient(x @ w, 1.0)
    return jnp.sum(jnp.sqrt(jnp.abs(h)))


w, x = jnp.ones((2, 2)), jnp.ones((3, 2))
print(loss(w, x))
update = jax.jit(lambda w, x: w - 0.1 * jax.grad(loss)(w, x))
print(update(w, x))
