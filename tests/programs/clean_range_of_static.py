# category: clean/range-of-tracer
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=0)
def chebyshev(n, x):
    previous, current = jnp.ones_like(x), x
    for _ in range(n - 1):
        previous, current = current, 2 * x * current - previous
    return current if n else previous


basis = [partial(chebyshev, n) for n in range(4)]
print([t(jnp.linspace(-1, 1, 3)) for t in basis])
