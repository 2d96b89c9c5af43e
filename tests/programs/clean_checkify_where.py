# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp
from jax.experimental import checkify


def safe_divide(x, y):
    checkify.check(jnp.all(y != 0), "division by zero")
    return x / y


checked = jax.jit(checkify.checkify(safe_divide))
err, out = checked(jnp.ones(2), jnp.array([1.0, 2.0]))
if err.get() is not None:
    raise SystemExit(err.get())
if out.sum() > 1.0:
    print("ratio", out)
err, _ = checked(jnp.ones(2), jnp.zeros(2))
print(err.get().splitlines()[0] if err.get() else "fine")
