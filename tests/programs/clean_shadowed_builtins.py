# category: clean/bool-op-on-tracer
"""Names that look like builtins or NumPy, but are not."""

import types

import jax
import jax.numpy as jnp
from jax.numpy import max, min, sum

np = types.SimpleNamespace(log=jnp.log1p, pi=3.0, where=jnp.where)


def float(x):
    return x.astype(jnp.float32)


class math:
    @staticmethod
    def sqrt(x):
        return jnp.sqrt(x)


def any(masks):
    out = masks[0]
    for m in masks[1:]:
        out = out | m
    return out


class Vector:
    def __init__(self, values):
        self.values = values

    def item(self):
        return self.values[0]

    def append(self, v):
        return Vector(jnp.append(self.values, v))

    def tolist(self):
        return [self.item(), self.values[-1]]


@jax.jit
def normalize(x, range=lambda n: jnp.arange(n)):
    bad = any([x < 0, jnp.isnan(x)])
    x = np.where(bad, 0.0, x)
    y = (x - min(x)) / math.sqrt(max(x) + 1.0) + np.log(sum(x))
    v = Vector(y).append(1.0)
    return float(y + range(x.shape[0])) + v.item() + v.tolist()[1]


print(normalize(jnp.arange(3.0)))
