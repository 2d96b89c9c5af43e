# category: clean/bool-op-on-tracer
import jax
import jax.numpy as jnp

_MISSING = object()


def resolve(value, default=_MISSING):
    if value is None and default is _MISSING:
        raise ValueError("no value")
    return default if value is None else value


@jax.jit
def mix(x, y, gate=None):
    gate = resolve(gate, 0.5)
    same = x is y or x.shape != y.shape
    ok = isinstance(x, jax.Array) and hasattr(y, "dtype") and callable(jnp.sin)
    tree = {"x": x, "y": y}
    names = [k for k in tree if k != "y" or not same]
    if ok and x.dtype == y.dtype and "x" in names:
        return gate * x + (1 - gate) * y
    return x


print(mix(jnp.ones(2), jnp.zeros(2)), mix(jnp.ones(2), jnp.zeros(2), 0.9))
print(mix(jnp.ones(2), jnp.zeros(2), gate=jnp.array([True, False])))
