# category: clean/expected-errors
# Handlers that ask whether an axis is mapped, an array is there, or a function has a derivative.
from functools import partial

import jax
import jax.numpy as jnp


def averaged(x):
    try:
        jax.lax.axis_index("devices")
        return jax.lax.pmean(x, "devices")
    except NameError:
        return x


@partial(jax.jit, donate_argnums=0)
def halved(x):
    return x / 2


def is_there(x):
    try:
        return bool(x.sum() > 0)
    except (RuntimeError, ValueError):
        return False


def has_derivative(function, x):
    try:
        jax.grad(function)(x)
        return True
    except NotImplementedError:
        return False


x = jnp.ones(3)
assert is_there(halved(x)) and not is_there(x)
assert not has_derivative(lambda w: jnp.nextafter(w, 2.0), 1.0)
print(jax.jit(averaged)(jnp.ones(3)))
