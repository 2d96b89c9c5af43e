# category: clean/branch
import jax
import jax.numpy as jnp

kept = []


def is_positive(x):
    try:
        return bool(x > 0)
    except jax.errors.TracerBoolConversionError:
        return None


def relu(x):
    known = is_positive(x)
    if known is None:
        return jnp.maximum(x, 0.0)
    return x if known else 0.0 * x


def leaks():
    @jax.jit
    def keep(x):
        kept.append(x)
        return x

    try:
        keep(jnp.ones(2))
        return kept[0] + 1.0
    except jax.errors.UnexpectedTracerError:
        return None


print(relu(2.0), jax.jit(relu)(2.0), leaks())
