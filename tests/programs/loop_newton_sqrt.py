# category: python-loop-on-tracer
from functools import partial

import jax as j
from jax import numpy as jn


def residual(y, a):
    return jn.abs(y * y - a)


@partial(j.jit, static_argnames=("max_steps",))
def newton_sqrt(a, *, tol=1e-4, max_steps=20):
    """Heron's method with a step budget."""
    y, n = jn.maximum(a, 1.0), 0
    while residual(y, a) > tol:  #! OAK202 11 #~ TracerBoolConversionError
        y = 0.5 * (y + a / y)
        n += 1
        if n >= max_steps:
            break
    return y


print([float(v) for v in (newton_sqrt(jn.float32(2.0)), newton_sqrt(jn.float32(9.0), max_steps=5))])
