# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp
from jax.errors import ConcretizationTypeError, TracerArrayConversionError
import numpy as np


def concrete_or_none(x, cast=float):
    try:
        return cast(x)
    except (ConcretizationTypeError, TypeError):
        return None


def host_copy(x):
    try:
        return np.asarray(x)
    except TracerArrayConversionError:
        return None


@jax.jit
def smart_exp(x):
    known = concrete_or_none(x)
    if known is not None and known > 80.0:
        return jnp.inf
    copy = host_copy(x)
    if copy is None:
        return jnp.exp(x)
    return jnp.asarray(np.exp(copy))


print(smart_exp(1.0), concrete_or_none(jnp.float32(2.0)), host_copy(jnp.ones(1)))
