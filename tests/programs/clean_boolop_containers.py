# category: clean/bool-op-on-tracer
from typing import Any

import jax
import jax.numpy as jnp

Params = dict[str, Any]


@jax.jit
def apply(params: Params, x: jax.Array, extras: tuple = ()) -> jax.Array:
    """`and`, `or`, `not`, `in`, `max` on shapes, keys, None and containers."""
    has_bias = "bias" in params and params["bias"] is not None
    width = max(w.shape[0] for w in jax.tree.leaves(params["weights"]))
    if not extras or not params.get("skip"):
        x = x[..., :width]
    biggest = sorted(params["weights"], key=lambda k: params["weights"][k].size)[-1]
    x = x @ params["weights"][biggest]
    if any(isinstance(v, dict) for v in params.values()) and all(x.shape):
        x = x + (params["bias"] if has_bias else 0.0)
    return jnp.maximum(x, 0.0) if x.ndim in (1, 2) else x


params = {"weights": {"a": jnp.eye(2), "b": jnp.ones((2, 3))}, "bias": jnp.zeros(3), "skip": None}
print(apply(params, jnp.ones((1, 2))), apply(params, jnp.ones(4), extras=(1.0,)).shape)
