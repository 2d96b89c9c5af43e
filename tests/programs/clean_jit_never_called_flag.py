# category: clean/python-branch-on-tracer
"""Functions that would fail under tracing, none of which is traced with a traced argument there."""

import jax
import jax.numpy as jnp


def normalize(x, eps=1e-6, strict=False):
    if strict and x.min() < 0:
        raise ValueError("negative values")
    return x / (x.sum() + eps)


def host_only(x):
    while x > 1.0:
        x = x / 2
    return float(x)


fast_normalize = jax.jit(normalize)
strict_normalize = jax.jit(lambda x: normalize(jnp.abs(x)))


def evaluate(xs, strict=True):
    out = [normalize(x, strict=strict) for x in xs]
    scale = host_only(out[0][0] * 8)
    return fast_normalize(scale * out[0]), strict_normalize(out[-1])


print(evaluate([jnp.ones(2), jnp.arange(2.0)]))
