# category: clean/boolean-mask-index
from functools import partial

import jax
import jax.numpy as jnp


def tree_where(cond, a, b):
    return jax.tree.map(lambda x, y: jnp.where(cond, x, y), a, b)


@partial(jax.jit, static_argnames=("num_devices",))
def masked_update(params, grads, mask, num_devices=1):
    finite = {k: jnp.isfinite(g).all() for k, g in grads.items()}
    new = {k: tree_where(finite[k], p - 0.1 * grads[k], p) for k, p in params.items()}
    new = {k: jnp.where(mask[k], v, params[k]) if k in mask else v for k, v in new.items()}
    select = mask["w"].astype(int)
    picked = new["w"][select]
    first = new["w"][jnp.argmax(mask["w"])]
    return new, picked, first, new["w"].at[select].add(1.0), new["w"].at[...].mul(mask["w"])


params = {"w": jnp.ones(3), "b": jnp.zeros(())}
out = masked_update(params, params, {"w": jnp.array([True, False, True])})
print(out[0], out[1])
print(params["w"][out[0]["w"] < 1])
