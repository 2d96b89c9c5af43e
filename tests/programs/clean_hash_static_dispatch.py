# category: clean/hash-of-tracer
import jax
import jax.numpy as jnp

REGISTRY = {}


def register(name):
    def wrap(fn):
        REGISTRY[name] = fn
        return fn

    return wrap


@register("l2")
def l2(x):
    return jnp.sum(x**2)


@register("l1")
def l1(x):
    return jnp.sum(jnp.abs(x))


@jax.jit
def penalty(params):
    total = 0.0
    seen = {}
    for name, value in params.items():
        kind = name.split("_")[0]
        seen[(kind, value.shape, value.dtype)] = value
        total = total + REGISTRY[kind](value)
    ids = {id(v): k for k, v in params.items()}
    assert len(ids) == len(params) and len({v.ndim for v in params.values()}) == 1
    return total + sum(jnp.sum(v) for v in seen.values())


print(penalty({"l2_w": jnp.ones(2), "l1_b": jnp.ones(3)}))
