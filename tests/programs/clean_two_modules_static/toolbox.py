"""Helpers for traced and host code."""

import functools
import time

import jax
import jax.numpy as jnp


class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *exc):
        self.elapsed = time.perf_counter() - self.start


def clamp(x, lo, hi):
    return jnp.minimum(jnp.maximum(x, lo), hi)


def maybe_concrete(x):
    """The Python value, or None under tracing."""
    return None if isinstance(x, jax.core.Tracer) else float(x)


def repeat(fn, n):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), [fn] * n)
