# category: clean/range-of-tracer
import jax
import jax.numpy as jnp
from jax import lax


def euler(f, y0, t0, t1, steps=8):
    """Step count static, step size traced."""
    dt = (t1 - t0) / steps

    def body(y, i):
        return y + dt * f(t0 + i * dt, y), y

    return lax.scan(body, y0, jnp.arange(steps))[0]


@jax.jit
def shoot(y0, t1, n_outer):
    y = lax.fori_loop(0, n_outer, lambda i, y: euler(lambda t, v: -v, y, 0.0, t1), y0)
    for axis in range(jnp.ndim(y)):
        y = jnp.flip(y, axis)
    for k in [*range(len(y.shape) + 1)][1:]:
        y = y * k
    return y


print(shoot(jnp.ones(2), 0.5, 3))
