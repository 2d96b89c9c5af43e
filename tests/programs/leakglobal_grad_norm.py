# category: leak-global
from functools import partial

import jax
import jax.numpy as jnp

_LAST_NORM = None
_STEPS = 0


def clip(grads, max_norm):
    global _LAST_NORM
    norm = jnp.sqrt(sum(jnp.vdot(g, g) for g in jax.tree.leaves(grads)))
    _LAST_NORM = norm  #! OAK102
    return jax.tree.map(lambda g: g * jnp.minimum(1.0, max_norm / norm), grads)


@partial(jax.jit, static_argnums=1)
def update(params, max_norm):
    grads = jax.grad(lambda p: jnp.sum(p["a"] ** 2) + jnp.sum(p["b"]))(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, clip(grads, max_norm))


def main():
    global _STEPS
    params = {"a": jnp.ones(2), "b": jnp.zeros(3)}
    for _ in range(2):
        params = update(params, 1.0)
        _STEPS += 1
    print("steps", _STEPS)
    print(jnp.log(_LAST_NORM))  #~ UnexpectedTracerError


main()
