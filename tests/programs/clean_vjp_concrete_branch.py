# category: clean/python-branch-on-tracer
"""jvp, vjp and linearize without jit keep values concrete: branches, int() and while work."""

import jax
import jax.numpy as jnp


def clipped_power(x, p):
    if x < 0:
        x = -x
    count = 0
    while x > 2.0 and count < 5:
        x, count = x / 2, count + 1
    k = int(x) + count
    return x**p * (k if k > 0 else 1.0)


y, tangent = jax.jvp(clipped_power, (3.0, 2.0), (1.0, 0.0))
print(y, tangent)
y, pullback = jax.vjp(lambda x: clipped_power(x, 2.0), -1.5)
print(pullback(1.0))
print(jax.grad(jax.grad(clipped_power))(1.5, 3.0))
print(jax.value_and_grad(clipped_power, argnums=(0, 1))(5.0, 2.0))
