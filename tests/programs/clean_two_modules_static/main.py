# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp
import numpy as np

import settings
from toolbox import Timer, clamp, maybe_concrete, repeat
from settings import DEBUG, TABLE


@jax.jit
def forward(x):
    if DEBUG and settings.LEVEL > 1:
        x = x + 1
    for _ in range(settings.DEPTH):
        x = clamp(x, *settings.BOUNDS)
    value = maybe_concrete(x.sum())
    if value is None:
        x = repeat(jnp.sin, 2)(x)
    elif value > 0:
        x = -x
    return x + TABLE[settings.DEPTH] + np.log(settings.SCALE)


timer = Timer()
with timer:
    print(forward(jnp.ones(2)), maybe_concrete(jnp.float32(2.0)) > 1)
print(timer.elapsed >= 0)
