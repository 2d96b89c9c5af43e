# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


@jax.custom_jvp
def safe_log(x):
    return jnp.log(jnp.maximum(x, 1e-3))


@safe_log.defjvp
def _(primals, tangents):
    (x,), (t,) = primals, tangents
    y = safe_log(x)
    if y > -1.0:
        return y, t / x
    return y, jnp.zeros_like(t)


def slope(x):
    """Each derivative is taken of one number, which is known where the rule runs."""
    return [jax.grad(safe_log)(value) for value in x]


print(slope([0.5, 2.0]), jax.vmap(safe_log)(jnp.ones(3)))
