"""Samples that are functions of uniform and normal ones, element by element.

Each function takes one typed key, the sizes of the result and its dtype; the numbers are those of
JAX for the same key.
"""

from __future__ import annotations

import math
from typing import Any

from oakum import config, dtypes, errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments
from oakum.primitives.random import checks, random_keys
from oakum.primitives.rules.arguments import Sizes, constant
from oakum.values import host


def split(key: Array, count: int = 2) -> list[Any]:
    """Returns new keys of a key, one by one."""
    keys = random_keys.split(key, (count,))
    return [lax.index_in_dim(keys, i, 0, keepdims=False) for i in range(count)]


def as_dtype(value: object, dtype: DType) -> Any:
    """Returns a parameter as an array of the dtype of the samples."""
    return arguments.convert(value, dtype)


def to_rank(value: Any, rank: int) -> Any:
    """Returns an array with leading axes of length one, to a number of axes."""
    missing = rank - arguments.rank_of(value)
    return lax.expand_dims(value, tuple(range(missing))) if missing > 0 else value


def _is_number(value: object, number: float) -> bool:
    return isinstance(value, (int, float)) and not hasattr(value, "dtype") and value == number


def unit(key: Array, sizes: Sizes, dtype: DType) -> Any:
    """Samples from 0 to below 1: random bits as the mantissas of floats from 1 to below 2."""
    limits = checks.finfo(dtype)
    if limits.bits not in (8, 16, 32, 64):
        raise errors.DTypeError(
            f"uniform only accepts 8-, 16-, 32-, or 64-bit dtypes, got {dtype}."
        )
    drawn = 8 if limits.nmant < 8 else limits.bits
    bits = random_keys.bits(key, drawn, sizes)
    words = dtypes.DTYPES[f"uint{limits.bits}"]
    if drawn != limits.bits:
        bits = as_dtype(bits, words)
    one = int(host.np.array(1, host.dtype(dtype)).view(host.dtype(words)))
    mantissas = lax.shift_right_logical(bits, constant(drawn - limits.nmant, words))
    floats = lax.bitcast_convert_type(lax.bitwise_or(mantissas, constant(one, words)), dtype)
    return lax.sub(floats, constant(1, dtype))


def uniform(
    key: Array, sizes: Sizes, dtype: DType, minval: object = 0.0, maxval: object = 1.0
) -> Any:
    """Samples from an interval."""
    floats = unit(key, sizes, dtype)
    if _is_number(minval, 0) and _is_number(maxval, 1):
        return floats
    low, high = (to_rank(as_dtype(each, dtype), len(sizes)) for each in (minval, maxval))
    scaled = lax.add(lax.mul(floats, lax.sub(high, low)), low)
    return lax.max(low, lax.reshape(scaled, sizes))


def normal(key: Array, sizes: Sizes, dtype: DType) -> Any:
    """Samples of the standard normal distribution, real or complex."""
    if dtype.kind is not Kind.COMPLEX:
        return _real_normal(key, sizes, dtype)
    real = dtypes.to_real(dtype)
    assert real is not None
    parts = [_real_normal(each, sizes, real) for each in split(key)]
    return lax.div(lax.complex(*parts), constant(math.sqrt(2), dtype))


def _real_normal(key: Array, sizes: Sizes, dtype: DType) -> Any:
    np, kind = host.np, host.dtype(dtype)
    above = np.nextafter(np.array(-1, kind), np.array(0, kind))
    samples = uniform(key, sizes, dtype, above, np.array(1, kind))
    return lax.mul(constant(math.sqrt(2), dtype), lax.erf_inv(samples))


def truncated_normal(key: Array, lower: Any, upper: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of the standard normal distribution within bounds."""
    root = constant(math.sqrt(2), dtype)
    lower, upper = as_dtype(lower, dtype), as_dtype(upper, dtype)
    low, high = (lax.erf(lax.div(each, root)) for each in (lower, upper))
    samples = lax.mul(root, lax.erf_inv(uniform(key, sizes, dtype, low, high)))
    # Rounding must not give the bounds themselves.
    inside = [
        lax.nextafter(lax.stop_gradient(each), constant(beyond, dtype))
        for each, beyond in ((lower, math.inf), (upper, -math.inf))
    ]
    return jnp.clip(samples, *inside)


def bernoulli(key: Array, p: Any, shape: object, mode: str) -> Any:
    """Returns booleans that are true with a probability."""
    sizes = None if shape is None else checks.shape(shape)
    if mode not in ("high", "low"):
        raise ValueError(f"got {mode=}, expected 'high' or 'low'")
    dtype = arguments.dtype_of(p)
    if dtype.kind is not Kind.FLOAT:
        raise errors.DTypeError(
            f"bernoulli probability `p` must have a floating dtype, got {dtype}.",
            hint="Give the probability as a float.",
        )
    sizes = checks.sample_shape("bernoulli", sizes, arguments.shape_of(p))
    p = as_dtype(p, dtype)
    if mode == "low":
        return jnp.less(uniform(key, sizes, dtype), p)
    first, second = uniform(key, (2, *sizes), dtype)
    fine = lax.mul(second, constant(2.0 ** -checks.finfo(dtype).nmant, dtype))
    return jnp.less(fine, jnp.subtract(p, first))


def rademacher(key: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of -1 and 1."""
    signs = as_dtype(bernoulli(key, 0.5, sizes, "low"), dtype)
    return as_dtype(2 * signs - 1, dtype)


def cauchy(key: Array, sizes: Sizes, dtype: DType) -> Any:
    """Samples of the Cauchy distribution."""
    samples = uniform(key, sizes, dtype, minval=checks.finfo(dtype).eps)
    centred = lax.sub(samples, constant(0.5, dtype))
    return lax.tan(lax.mul(constant(math.pi, dtype), centred))


def exponential(key: Array, sizes: Sizes, dtype: DType) -> Any:
    """Samples of the exponential distribution."""
    return lax.neg(lax.log1p(lax.neg(uniform(key, sizes, dtype))))


def laplace(key: Array, sizes: Sizes, dtype: DType) -> Any:
    """Samples of the Laplace distribution."""
    samples = uniform(key, sizes, dtype, minval=-1.0 + float(checks.finfo(dtype).epsneg))
    return lax.mul(lax.sign(samples), lax.log1p(lax.neg(lax.abs(samples))))


def logistic(key: Array, sizes: Sizes, dtype: DType) -> Any:
    """Samples of the logistic distribution."""
    samples = uniform(key, sizes, dtype, minval=checks.finfo(dtype).tiny)
    return lax.sub(lax.log(samples), lax.log1p(lax.neg(samples)))


def lognormal(key: Array, sigma: object, sizes: Sizes, dtype: DType) -> Any:
    """Samples whose logarithms are normal."""
    return lax.exp(jnp.multiply(normal(key, sizes, dtype), as_dtype(sigma, dtype)))


def pareto(key: Array, b: object, sizes: Sizes, dtype: DType) -> Any:
    """Samples of Pareto distributions."""
    return lax.exp(jnp.divide(exponential(key, sizes, dtype), as_dtype(b, dtype)))


def rayleigh(key: Array, scale: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of Rayleigh distributions."""
    logs = lax.log(uniform(key, sizes, dtype))
    scale = arguments.broadcast_to(as_dtype(scale, dtype), sizes)
    return lax.mul(scale, lax.sqrt(lax.mul(logs, constant(-2, dtype))))


def wald(key: Array, mean: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of Wald distributions."""
    first, second = split(key)
    mean = arguments.broadcast_to(as_dtype(mean, dtype), sizes)
    squares = lax.integer_pow(normal(first, sizes, dtype), 2)
    chances = uniform(second, sizes, dtype)
    mean_squares = lax.integer_pow(mean, 2)
    root = lax.sqrt(4 * mean * squares + mean_squares * lax.integer_pow(squares, 2))
    near = mean + mean_squares * squares / 2 - mean / 2 * root
    return lax.select(lax.le(chances, mean / (mean + near)), near, mean_squares / near)


def triangular(key: Array, left: Any, mode: Any, right: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of triangular distributions."""
    left, mode, right = (
        arguments.broadcast_to(as_dtype(each, dtype), sizes) for each in (left, mode, right)
    )
    samples, width = uniform(key, sizes, dtype), right - left
    rising = left + lax.sqrt(samples * width * (mode - left))
    falling = right - lax.sqrt((1 - samples) * width * (right - mode))
    return lax.select(samples < (mode - left) / width, rising, falling)


def maxwell(key: Array, sizes: Sizes, dtype: DType) -> Any:
    """Returns norms of normal vectors of three dimensions."""
    return jnp.linalg.norm(normal(key, (*sizes, 3), dtype), axis=-1)


def double_sided_maxwell(key: Array, loc: object, scale: object, sizes: Sizes, dtype: DType) -> Any:
    """Samples of the Maxwell distribution with random signs, shifted and scaled."""
    parameters = arguments.broadcast_shapes(*map(arguments.shape_of, (loc, scale)))
    full = (*(sizes or parameters), *parameters)
    first, second = split(key)
    samples = rademacher(second, full, dtype) * maxwell(first, full, dtype)
    return samples * scale + loc


def weibull_min(key: Array, scale: Any, concentration: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of Weibull distributions."""
    exponents = -jnp.log1p(-uniform(key, sizes, dtype))
    return jnp.power(exponents, 1.0 / concentration) * scale


def is_nan(x: Array) -> Any:
    """Returns whether elements are no numbers."""
    return lax.ne(x, x)


_MODES = ("highest", "high", "low")


def gumbel(key: Array, sizes: Sizes, dtype: DType, mode: str | None) -> Any:
    """Samples of the Gumbel distribution; `mode` says how large they can become."""
    if mode is None:
        mode = "high" if config.high_dynamic_range_gumbel.value else "low"
    if mode not in _MODES:
        raise ValueError(f"Must provide valid mode for gumbel got: {mode}")
    if mode == "highest" and dtype is dtypes.float32:
        return _highest(key, sizes)
    limits = checks.finfo(dtype)
    if mode == "low":
        return _negative_log(_negative_log(uniform(key, sizes, dtype, limits.tiny)))
    high, low = uniform(key, (2, *sizes), dtype)
    fine = high + 2.0**-limits.nmant * low + float(limits.tiny)
    # Where the first word is large, adding the second one could round up to 1.
    samples = jnp.where(high >= 0.5, high, fine)
    return _negative_log(-jnp.log1p(-samples))


def _negative_log(x: Array) -> Any:
    return -jnp.log(x)


def _word(value: int) -> Any:
    return constant(value, dtypes.uint32)


def _highest(key: Array, sizes: Sizes) -> Any:
    """Samples of numbers of 64 bits, which are turned into floats without losing small ones."""
    bits = random_keys.bits(key, 32, (2, *sizes))
    flipped = lax.bitwise_not(bits)
    carry = lax.convert_element_type(flipped[1] == _word(0xFFFFFFFF), "uint32")
    below_one = flipped + jnp.stack([carry, jnp.ones_like(carry)])
    is_small = bits[0] < _word(1 << 31)
    x = _fraction(jnp.where(is_small, bits, below_one))
    return jnp.where(is_small, _negative_log(-jnp.log1p(-x)), _negative_log(_negative_log(x)))


def _fraction(bits: Array) -> Any:
    """Returns the floats of fractions of 64 bits, given as two words each."""
    high_zeros, low_zeros = lax.clz(bits)
    high, low = bits
    empty = high_zeros == 32
    after = jnp.where(
        empty,
        lax.shift_left(low, low_zeros),
        lax.shift_right_logical(low, lax.sub(_word(32), high_zeros)),
    )
    mantissa = lax.bitwise_or(lax.shift_left(high, high_zeros), after)
    mantissa = lax.shift_right_logical(mantissa, _word(8)) & _word((1 << 23) - 1)
    zeros = jnp.where(empty, _word(32) + low_zeros, high_zeros)
    exponent = lax.shift_left(lax.sub(_word(126), zeros), _word(23))
    exponent = exponent & _word((1 << 30) - (1 << 22))
    return lax.bitcast_convert_type(exponent | mantissa, "float32")
