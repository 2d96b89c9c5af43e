# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


def positive(x, name="x"):
    """Checks the value when it is known, trusts it when it is traced."""
    if isinstance(x, jax.core.Tracer):
        return x
    if jnp.any(x <= 0):
        raise ValueError(f"{name} must be positive")
    return x


def checked_flag(x):
    try:
        return "negative" if bool(x.sum() < 0) else "positive"
    except jax.errors.TracerBoolConversionError:
        return "unknown"


@jax.jit
def log_density(x, scale):
    scale = positive(scale, "scale")
    sign = checked_flag(x)
    if sign == "unknown":
        x = x * 1.0
    return -0.5 * (x / scale) ** 2 - jnp.log(scale)


print(positive(jnp.float32(2.0)), checked_flag(jnp.ones(2)))
print(log_density(jnp.ones(2), 2.0))
