# category: clean/scalar-cast-of-tracer
"""int() and .item() are fine under grad without jit; float() is applied to results and shapes only."""

import math

import jax
import jax.numpy as jnp


def smooth_step(x, width):
    k = int(width)
    return jnp.tanh(x * k) / math.sqrt(float(x.size) if x.size > 1 else 1.0)


@jax.jit
def scaled(x):
    n = float(x.shape[0])
    fan = math.sqrt(2.0 / max(1, math.prod(x.shape)))
    return x.sum() / n * fan


slope = jax.grad(lambda x: jnp.sum(smooth_step(x, 3.7)))
print(slope(jnp.ones(4)))
total = scaled(jnp.ones((2, 3)))
print(float(total), total.item(), int(total), math.exp(total))
