"""Samples of distributions of counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType
from oakum.numpy import arguments
from oakum.primitives.random import checks, random_keys
from oakum.primitives.rules.arguments import Sizes
from oakum.random import draws
from oakum.typing import DTypeLike


def geometric(key: Array, p: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of geometric distributions."""
    arguments.check_arrays("geometric", p)
    (p,) = arguments.promote_inexact(p)
    samples = draws.uniform(key, sizes, arguments.dtype_of(p))
    logs = lax.log(jnp.where(samples == 0, 1, samples))
    of_failure = arguments.broadcast_to(lax.log1p(-p), sizes)
    return arguments.convert(lax.floor(lax.div(logs, of_failure)) + 1, dtype)


def poisson(key: Array, lam: Any, shape: Any, dtype: DType) -> Any:
    """Samples of Poisson distributions."""
    generator = random_keys.key_generator(key)
    if generator.dtype is not dtypes.key_fry:
        raise NotImplementedError(
            f"`poisson` is only implemented for the threefry2x32 RNG, not {generator}"
        )
    sizes = arguments.shape_of(lam) if shape is None else checks.shape(shape)
    lam = arguments.convert(arguments.broadcast_to(lam, sizes), dtypes.float32)
    by_products = draws.is_nan(lam) | (lam < 10)
    small = lax.select(by_products, lam, lax.full_like(lam, 0.0))
    large = lax.select(by_products, lax.full_like(lam, 1e5), lam)
    result = lax.select(
        by_products,
        _poisson_by_products(key, small, sizes, dtype),
        _poisson_by_rejection(
            random_keys.random_clone_p.bind(key), large, by_products, sizes, dtype
        ),
    )
    return lax.select(lam == 0, jnp.zeros_like(result), result)


def _greatest(dtype: DType) -> int:
    bits = dtype.bits - (dtype.kind is dtypes.Kind.INT)
    return min((1 << bits) - 1, (1 << 31) - 1)


def _poisson_by_products(key: Array, lam: Array, sizes: Sizes, dtype: DType) -> Any:
    """Counts uniform samples until their product is small: Knuth's method."""

    def go_on(carry: Sequence[Any]) -> Any:
        i, _, _, log_product = carry
        return (log_product > -lam).any() & (i < _greatest(dtype))

    def step(carry: Sequence[Any]) -> Any:
        i, count, key, log_product = carry
        key, now = draws.split(key)
        count = lax.select(log_product > -lam, count + 1, count)
        log_product = log_product + jnp.log(draws.uniform(now, sizes, dtypes.float32))
        return i + 1, count, key, log_product

    start = (0, jnp.zeros(sizes, dtype), key, jnp.zeros(sizes, dtypes.float32))
    return arguments.convert(lax.while_loop(go_on, step, start)[1] - 1, dtype)


def _poisson_by_rejection(key: Array, lam: Array, unused: Array, sizes: Sizes, dtype: DType) -> Any:
    """Samples by Hörmann's method PTRS, "The transformed rejection method", 1993.

    As in JAX, samples are drawn again until all are accepted, also those that are not used; only
    where none is used nothing is drawn.
    """
    log_lam = lax.log(lam)
    b = 0.931 + 2.53 * lax.sqrt(lam)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)
    kind = arguments.dtype_of(lam)

    def go_on(carry: Sequence[Any]) -> Any:
        i, _, accepted, _ = carry
        return (~accepted).any() & (i < _greatest(dtype)) & ~unused.all()

    def step(carry: Sequence[Any]) -> Any:
        i, result, accepted, key = carry
        key, first, second = draws.split(key, 3)
        u = draws.uniform(first, sizes, kind) - 0.5
        v = draws.uniform(second, sizes, kind)
        shifted = 0.5 - jnp.abs(u)
        k = lax.floor((2 * a / shifted + b) * u + lam + 0.43)
        s = lax.log(v * inverse_alpha / (a / (shifted * shifted) + b))
        t = -lam + k * log_lam - lax.lgamma(k + 1)
        at_once = (shifted >= 0.07) & (v <= v_r)
        reject = (k < 0) | ((shifted < 0.013) & (v > shifted))
        accept = at_once | (~reject & (s <= t))
        return i + 1, lax.select(accept, k, result), accepted | accept, key

    start = (0, lax.full_like(lam, -1), jnp.zeros(sizes, dtypes.bool_), key)
    return arguments.convert(lax.while_loop(go_on, step, start)[1], dtype)


def binomial(key: Array, n: Any, p: Any, shape: Any, dtype: DType) -> Any:
    """Samples of binomial distributions."""
    arguments.check_arrays("binomial", n, p)
    sizes = checks.sample_shape("binomial", shape, *map(arguments.shape_of, (n, p)))
    (p,) = arguments.promote_inexact(p)
    count = arguments.broadcast_to(arguments.convert(n, arguments.dtype_of(p)), sizes)
    p = arguments.broadcast_to(p, sizes)
    is_rare = p < 0.5
    q = lax.select(is_rare, p, 1.0 - p)
    no_count = draws.is_nan(count) | (count < 0.0)
    no_chance = draws.is_nan(q) | (q < 0.0)
    endless = jnp.isinf(count)
    q = lax.select(no_chance, lax.full_like(q, 0.01), q)
    by_inversion = no_count | (count * q <= 10.0)
    count = jnp.floor(count)
    samples = lax.select(
        by_inversion,
        _binomial_by_inversion(
            key, lax.select(by_inversion, count, lax.full_like(count, 0.0)), q, sizes, dtype
        ),
        _binomial_by_rejection(
            random_keys.random_clone_p.bind(key),
            lax.select(by_inversion, lax.full_like(count, 1e4), count),
            lax.select(by_inversion, lax.full_like(q, 0.5), q),
            by_inversion,
            sizes,
            dtype,
        ),
    )
    invalid = no_chance | no_count
    samples = lax.select(invalid, lax.full_like(samples, math.nan), samples)
    samples = lax.select(endless & ~invalid, lax.full_like(samples, math.inf), samples)
    as_drawn = is_rare | no_count | draws.is_nan(p) | endless
    return lax.select(as_drawn, samples, arguments.convert(count, dtype) - samples)


def _binomial_by_inversion(key: Array, count: Array, p: Any, sizes: Sizes, dtype: DType) -> Any:
    """Counts geometric samples until their sum exceeds the number of trials."""
    log_failure = jnp.log1p(-p)
    kind = arguments.dtype_of(p)

    def go_on(carry: Sequence[Any]) -> Any:
        return (carry[1] <= count).any()

    def step(carry: Sequence[Any]) -> Any:
        number, total, key = carry
        now, key = draws.split(key)
        number = lax.select(total <= count, number + 1, number)
        gaps = jnp.ceil(jnp.log(draws.uniform(now, sizes, kind)) / log_failure)
        return number, total + gaps, key

    start = (lax.full_like(p, 0), lax.full_like(p, 0), key)
    return arguments.convert(lax.while_loop(go_on, step, start)[0] - 1, dtype)


_TAILS: Final = (
    0.0810614667953272,
    0.0413406959554092,
    0.0276779256849983,
    0.02079067210376509,
    0.0166446911898211,
    0.0138761288230707,
    0.0118967099458917,
    0.0104112652619720,
    0.00925546218271273,
    0.00833056343336287,
)
"""What Stirling's formula leaves of the logarithms of the factorials of 0 to 9."""


def _stirling_tail(k: Array) -> Any:
    """Returns log(k!) minus Stirling's approximation of it."""
    tails = jnp.array(_TAILS, dtype=arguments.dtype_of(k))
    is_small = k <= 9
    limited = jnp.clip(k, 0.0, 9.0)
    square = (limited + 1) * (limited + 1)
    approximate = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (limited + 1)
    position = lax.convert_element_type(jnp.floor(limited), "int32")
    return lax.select(is_small, tails[position], approximate)


def _binomial_by_rejection(
    key: Array, count: Array, p: Any, unused: Array, sizes: Sizes, dtype: DType
) -> Any:
    """Returns Hörmann's method BTRS, "The generation of binomial random variates", 1993; repeated
    as in the method for Poisson distributions.
    """
    kind = arguments.dtype_of(p)
    deviation = jnp.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = count * p + 0.5
    v_r = 0.92 - 4.2 / b
    r = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * deviation
    m = jnp.floor((count + 1) * p)

    def bound(k: Array) -> Any:
        return (
            (m + 0.5) * jnp.log((m + 1) / (r * (count - m + 1)))
            + (count + 1) * jnp.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * jnp.log(r * (count - k + 1) / (k + 1))
            + _stirling_tail(m)
            + _stirling_tail(count - m)
            - _stirling_tail(k)
            - _stirling_tail(count - k)
        )

    def go_on(carry: Sequence[Any]) -> Any:
        return (~carry[1]).any() & ~unused.all()

    def step(carry: Sequence[Any]) -> Any:
        result, accepted, key = carry
        key, first, second = draws.split(key, 3)
        u = draws.uniform(first, sizes, kind) - 0.5
        v = draws.uniform(second, sizes, kind)
        shifted = 0.5 - jnp.abs(u)
        at_once = (shifted >= 0.07) & (v <= v_r)
        k = jnp.floor((2 * a / shifted + b) * u + c)
        reject = (k < 0) | (k > count)
        v = jnp.log(v * alpha / (a / (shifted * shifted) + b))
        accept = at_once | (~reject & (v <= bound(k)))
        return lax.select(accept, k, result), accepted | accept, key

    start = (lax.full_like(p, -1), jnp.zeros(sizes, dtypes.bool_), key)
    return arguments.convert(lax.while_loop(go_on, step, start)[0], dtype)


def multinomial(
    key: Array, n: Any, p: Any, shape: Any, dtype: DTypeLike | None, unroll: int | bool
) -> Any:
    """Samples of multinomial distributions: one binomial sample of what is left per category."""
    arguments.check_arrays("multinomial", n, p)
    n, p = arguments.promote_inexact(n, p)
    sizes = p.shape if shape is None else checks.shape(shape)
    n = arguments.broadcast_to(n, sizes[:-1])
    p = jnp.moveaxis(arguments.broadcast_to(p, sizes), -1, 0)
    left = lax.cumsum(p, 0, reverse=True)
    ratios = p / jnp.where(left == 0, 1, left)

    def step(remainder: Array, drawn: tuple[Array, Array]) -> Any:
        ratio, now = drawn
        count = binomial(now, remainder, jnp.clip(ratio, 0, 1), None, arguments.dtype_of(remainder))
        return remainder - count, count

    keys = random_keys.split(key, (ratios.shape[0],))
    _, counts = lax.scan(step, n, (ratios, keys), unroll=unroll)
    kind = arguments.dtype_of(counts) if dtype is None else checks.requested(dtype)
    return arguments.convert(jnp.moveaxis(counts, 0, -1), kind)
