# category: clean/python-branch-on-tracer
from functools import singledispatch
from numbers import Number
from typing import Union

import jax
import jax.numpy as jnp


@singledispatch
def describe(x):
    return "other"


@describe.register(list)
def _(x):
    return "list"


def to_array(x: Union[Number, jax.Array, list]) -> jax.Array:
    if isinstance(x, (int, float)):
        return jnp.asarray(x)
    elif isinstance(x, (list, tuple)):
        return jnp.stack([to_array(v) for v in x])
    elif jnp.iscomplexobj(x):
        return jnp.real(x)
    return x if hasattr(x, "shape") else jnp.array(x)


@jax.jit
def total(tree):
    match tree:
        case {"x": x, **rest} if rest:
            out = to_array(x).sum()
        case {"x": x}:
            out = to_array(x).mean()
        case [first, *_] if len(tree) > 1:
            out = to_array(first)
        case _:
            out = to_array(0.0)
    if type(tree) is dict and describe(tree) == "other":
        out = out + 1
    return out


print(total({"x": [jnp.ones(2), jnp.zeros(2)], "y": 1.0}), total({"x": 3.0}), total((jnp.ones(()), 2.0)))
