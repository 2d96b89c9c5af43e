# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


def check_positive(x):
    try:
        ok = bool(jnp.all(x > 0))
    except jax.errors.TracerBoolConversionError:
        return x
    if not ok:
        raise ValueError("negative scale")
    return x


log_scale = jax.jit(lambda s: jnp.log(check_positive(s)))
print(log_scale(jnp.ones(2)), check_positive(jnp.ones(1)))
