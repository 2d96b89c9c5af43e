"""`random_gamma`: samples of gamma distributions, with their derivative by the parameter.

The method is that of Marsaglia and Tsang, "A simple method for generating gamma variables", 2000,
with a power of a uniform sample for parameters below one; the numbers are those of JAX.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

from oakum import lax
from oakum.abstract.elementwise import FLOATS, check
from oakum.array import Array
from oakum.control_flow.special_functions import gamma_rejection
from oakum.control_flow.special_functions.incomplete_gamma import random_gamma_grad_p
from oakum.errors import DTypeError
from oakum.primitives import special
from oakum.primitives.random import checks
from oakum.primitives.random.prng_impls import Generator
from oakum.primitives.random.random_keys import check_keys, words_of
from oakum.primitives.rules import batching
from oakum.primitives.rules.lowering import Decomposed
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import DTypeLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _abstract(
    keys: ShapedArray, a: ShapedArray, *, impl: Generator, log_space: bool
) -> ShapedArray:
    check_keys("random_gamma", keys)
    check("random_gamma", a, FLOATS, 1)
    if a.dtype is not None and a.dtype.bits < 8:
        raise DTypeError(
            f"random_gamma draws no samples of {a.dtype}: it has too few values",
            hint="Draw in float32, and convert the samples with astype.",
        )
    return a


class _Source:
    """Draws one number for each of many keys, in one dtype."""

    def __init__(self, xp: ModuleType, impl: Generator, dtype: DTypeLike | None) -> None:
        self.xp, self.impl, self.dtype = xp, impl, dtype
        self.limits = checks.finfo(host.read_dtype(dtype))
        np = xp
        self.low = np.nextafter(np.array(-1, dtype), np.array(0, dtype))

    def split(self, words: host.Array, count: int) -> list[Any]:
        """New keys of each key."""
        new = self._each(lambda w: self.impl.split(self.xp, w, (count,)), words)
        return [new[:, i] for i in range(count)]

    def _each(self, function: Callable[[Any], Any], words: host.Array) -> Any:
        """Applies an operation to all keys at once where their order of drawing is no matter."""
        if self.impl.words == 2 or not len(words):
            return function(words)
        return self.xp.stack([function(w) for w in words])

    def unit(self, words: host.Array) -> Any:
        """Samples from 0 to below 1."""
        xp, nmant = self.xp, self.limits.nmant
        drawn = 8 if nmant < 8 else self.limits.bits
        bits = self._each(lambda w: self.impl.draw(xp, w, drawn, ()), words)
        bits = bits.astype(f"uint{self.limits.bits}")
        one = xp.array(1, self.dtype).view(bits.dtype)
        mantissas = bits >> xp.array(drawn - nmant, bits.dtype)
        return (mantissas | one).view(self.dtype) - xp.array(1, self.dtype)

    def normal(self, words: host.Array) -> Any:
        """Samples of the standard normal distribution."""
        xp = self.xp
        one = xp.array(1, self.dtype)
        samples = xp.maximum(self.low, self.unit(words) * (one - self.low) + self.low)
        return xp.array(math.sqrt(2), self.dtype) * special.erf_inv_p.evaluate(xp, samples)


def _evaluate(
    xp: ModuleType, keys: host.Array, a: host.Array, *, impl: Generator, log_space: bool
) -> Any:
    count = math.prod(a.shape[keys.ndim :])
    words = words_of(xp, xp.reshape(keys, -1), impl)
    words = impl.split(xp, words, (count,)).reshape(-1, impl.words)
    source = _Source(xp, impl, a.dtype)
    return _samples(xp, source, words, xp.reshape(a, -1), log_space).reshape(a.shape)


def _samples(
    xp: ModuleType, source: _Source, words: host.Array, given: host.Array, log_space: bool
) -> Any:
    one = xp.array(1, given.dtype)
    large = given >= one
    d = xp.where(large, given, given + one) - xp.array(1 / 3, given.dtype)
    words, rest = source.split(words, 2)
    v = _accept(xp, source, words, d)
    if log_space:
        logs = xp.log1p(-source.unit(rest))
        boost = xp.where(large | (logs == 0), 0 * one, logs * (one / given))
        return xp.log(d) + xp.log(v) + boost
    boost = xp.where(large, one, xp.power(one - source.unit(rest), one / given))
    return d * v * boost


def _accept(xp: ModuleType, source: _Source, words: host.Array, d: host.Array) -> Any:
    """Cubes `v` that the test of rejection takes, for each element."""
    dtype = d.dtype
    c = xp.array(1 / 3, dtype) / xp.sqrt(d)
    v = xp.ones(d.shape, dtype)
    # NaN parameters are never rejected, and are not tried at all.
    waiting = xp.flatnonzero(~xp.isnan(d))
    words = words[waiting]
    while waiting.size:
        words, x_words, u_words = source.split(words, 3)
        x, cubes = _propose(xp, source, x_words, c[waiting])
        u = source.unit(u_words)
        v[waiting] = cubes
        rejected = _is_rejected(xp, x, cubes, u, d[waiting])
        waiting, words = waiting[rejected], words[rejected]
    return v


def _propose(xp: ModuleType, source: _Source, words: host.Array, c: host.Array) -> tuple[Any, Any]:
    """Squares of normal samples `x`, and the cubes of `1 + c x`, which are positive."""
    x, v = xp.zeros(c.shape, c.dtype), xp.full(c.shape, -1, c.dtype)
    waiting = xp.arange(c.size)
    while waiting.size:
        words, now = source.split(words, 2)
        x[waiting] = source.normal(now)
        v[waiting] = xp.array(1, c.dtype) + x[waiting] * c[waiting]
        again = v[waiting] <= 0
        waiting, words = waiting[again], words[again]
    return x * x, v * v * v


def _is_rejected(
    xp: ModuleType, squares: host.Array, cubes: host.Array, u: host.Array, d: host.Array
) -> Any:
    dtype = u.dtype
    one, half = xp.array(1, dtype), xp.array(0.5, dtype)
    squeezed = u >= one - xp.array(0.0331, dtype) * (squares * squares)
    return squeezed & (xp.log(u) >= squares * half + d * (one - cubes + xp.log(cubes)))


def _derivative(tangent: Array, sample: Array, _key: object, a: Array, **params: object) -> Any:
    if not params["log_space"]:
        return lax.mul(tangent, random_gamma_grad_p.bind(a, sample))
    dtype = aval_of(sample).dtype
    assert dtype is not None
    samples = lax.exp(sample)
    tiny = lax.full_like(samples, float(checks.finfo(dtype).tiny))
    samples = lax.select(lax.eq(samples, lax.full_like(samples, 0)), tiny, samples)
    return lax.mul(tangent, lax.div(random_gamma_grad_p.bind(a, samples), samples))


def _batch(
    axis: AxisData, values: Sequence[Any], dims: Sequence[int | None], **params: object
) -> tuple[Any, int]:
    pairs = zip(values, dims, strict=True)
    return random_gamma_p.bind(
        *(batching.move_to_front(value, dim, axis.size) for value, dim in pairs), **params
    ), 0


random_gamma_p: Final = Primitive(
    "random_gamma",
    abstract=_abstract,
    evaluate=_evaluate,
    derivatives=(None, _derivative),
    batch=_batch,
    lower=Decomposed(gamma_rejection.samples, gamma_rejection.applies),
)
