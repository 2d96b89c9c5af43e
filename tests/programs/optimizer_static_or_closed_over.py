# category: clean/non-jax-type-argument
import functools

import jax
import jax.numpy as jnp
import optax

optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))


def update(optimizer, params, state, x):
    grads = jax.grad(lambda p: jnp.mean((x @ p["w"] - 1.0) ** 2))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


static_step = jax.jit(update, static_argnums=0)
bound_step = jax.jit(functools.partial(update, optimizer))
apply = jax.jit(lambda reduce, x: reduce(x))

params, x = {"w": jnp.zeros(3)}, jnp.ones((4, 3))
state = optimizer.init(params)
params, state = static_step(optimizer, params, state, x)
params, state = bound_step(params, state, x)
print(params, apply(jax.tree_util.Partial(jnp.add, 1.0), x), jax.jit(optax.global_norm)(params))
