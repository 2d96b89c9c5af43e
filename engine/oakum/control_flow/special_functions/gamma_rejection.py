"""Samples of gamma distributions as loops over whole arrays, which the compiler has native code of.

Each round draws for all elements and keeps what was drawn for those that wait: nearly all elements
are done after the first. The numbers are those of `random_gamma`'s evaluation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.array import Array
from oakum.control_flow.while_loop import while_loop
from oakum.dtypes import DType
from oakum.primitives.random import checks
from oakum.primitives.random.prng_impls import Generator
from oakum.primitives.random.random_keys import random_unwrap_p
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def applies(keys: ShapedArray, a: ShapedArray, *, impl: Generator, log_space: bool) -> bool:
    """Whether all keys are drawn from apart, in a dtype that is not rounded on the way."""
    return impl.words == 2 and a.dtype in (dtypes.float32, dtypes.float64)


def samples(keys: Array, a: Array, *, impl: Generator, log_space: bool) -> Any:
    """Draws one sample for each parameter."""
    jnp = a.__array_namespace__()
    shape, source = shape_of(a), _Source(jnp, impl, dtype_of(a))
    words = random_unwrap_p.bind(keys, impl=impl).reshape(-1, impl.words)
    count = math.prod(shape[len(shape_of(keys)) :])
    words = impl.split(jnp, words, (count,)).reshape(-1, impl.words)
    given = jnp.reshape(a, -1)
    large = given >= 1
    third = source.number(1 / 3)
    d = jnp.where(large, given, given + 1) - third
    words, rest = source.split(words, 2)
    v = _accept(source, words, d, third / jnp.sqrt(d))
    if log_space:
        logs = jnp.log1p(-source.unit(rest))
        boost = jnp.where(large | (logs == 0), 0, logs * (1 / given))
        return jnp.reshape(jnp.log(d) + jnp.log(v) + boost, shape)
    boost = jnp.where(large, 1, jnp.power(1 - source.unit(rest), 1 / given))
    return jnp.reshape(d * v * boost, shape)


def _accept(source: _Source, words: Array, d: Array, c: Array) -> Any:
    """Cubes `v` that the test of rejection takes, for each element."""
    jnp = source.jnp

    def waits(state: Sequence[Array]) -> Any:
        return jnp.any(state[2])

    def draw(state: Sequence[Array]) -> Any:
        words, v, waiting = state
        words, x_words, u_words = source.split(words, 3)
        squares, cubes = _propose(source, x_words, c, waiting)
        u = source.unit(u_words)
        squeezed = u >= 1 - source.number(0.0331) * (squares * squares)
        bound = squares * source.number(0.5) + d * (1 - cubes + jnp.log(cubes))
        rejected = squeezed & (jnp.log(u) >= bound)
        return words, jnp.where(waiting, cubes, v), waiting & rejected

    # NaN parameters are never rejected, and are not tried at all.
    start = (words, jnp.ones_like(d), ~jnp.isnan(d))
    return while_loop(waits, draw, start)[1]


def _propose(source: _Source, words: Array, c: Array, waiting: Array) -> tuple[Any, Any]:
    """Squares of normal samples `x`, and the cubes of `1 + c x`, which are positive."""
    jnp = source.jnp

    def waits(state: Sequence[Array]) -> Any:
        return jnp.any(state[3])

    def draw(state: Sequence[Array]) -> Any:
        words, x, v, waiting = state
        words, now = source.split(words, 2)
        x = jnp.where(waiting, source.normal(now), x)
        v = jnp.where(waiting, 1 + x * c, v)
        return words, x, v, waiting & (v <= 0)

    start = (words, jnp.zeros_like(c), jnp.full_like(c, -1), waiting)
    _, x, v, _ = while_loop(waits, draw, start)
    return x * x, v * v * v


class _Source:
    """Draws one number for each of many keys, in one dtype, with the functions of `jnp`."""

    def __init__(self, jnp: ModuleType, impl: Generator, dtype: DType) -> None:
        self.jnp, self._impl, self._dtype = jnp, impl, dtype
        self._limits = checks.finfo(dtype)
        np, kind = host.np, host.dtype(dtype).type
        self._low = np.nextafter(kind(-1), kind(0))
        self._span = kind(1) - self._low

    def number(self, value: ArrayLike) -> Any:
        """Returns a constant in the dtype."""
        return self.jnp.asarray(value, self._dtype)

    def split(self, words: object, count: int) -> list[Any]:
        """New keys of each key."""
        new = self._impl.split(self.jnp, words, (count,))
        return [new[:, i] for i in range(count)]

    def unit(self, words: object) -> Any:
        """Samples from 0 to below 1."""
        size, mantissa = self._limits.bits, self._limits.nmant
        bits = self._impl.draw(self.jnp, words, size, ())
        one = lax.bitcast_convert_type(self.number(1), bits.dtype)
        return lax.bitcast_convert_type((bits >> (size - mantissa)) | one, self._dtype) - 1

    def normal(self, words: Array) -> Any:
        """Samples of the standard normal distribution."""
        low = self.number(self._low)
        uniform = self.jnp.maximum(low, self.unit(words) * self.number(self._span) + low)
        return self.number(math.sqrt(2)) * lax.erf_inv(uniform)
