# category: clean/python-branch-on-tracer
"""in_axes=None and partial leave Python values concrete under vmap; grad alone keeps values concrete."""

from functools import partial

import jax
import jax.numpy as jnp


def relu_family(x, alpha, kind):
    if alpha > 0:
        slope = alpha
    else:
        slope = 0.0
    if kind == "leaky":
        return jnp.where(x > 0, x, slope * x)
    return jnp.maximum(x, 0.0)


xs = jnp.array([-1.0, 2.0])
print(jax.vmap(relu_family, in_axes=(0, None, None))(xs, 0.1, "leaky"))
print(jax.vmap(partial(relu_family, alpha=0.2, kind="plain"))(xs))


def piecewise(x):
    if x > 1.0:
        return x**2
    return 2.0 * x - 1.0


print(jax.grad(piecewise)(0.5), jax.grad(piecewise)(3.0), jax.value_and_grad(piecewise)(1.5))
