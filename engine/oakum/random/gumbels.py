"""Samples of the Gumbel distribution, from one or two words of bits each."""

from __future__ import annotations

from typing import Any

from oakum import config, dtypes, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType
from oakum.primitives.random import checks, random_keys
from oakum.primitives.rules.arguments import Sizes, constant
from oakum.random import draws

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
        return _negative_log(_negative_log(draws.uniform(key, sizes, dtype, limits.tiny)))
    high, low = draws.uniform(key, (2, *sizes), dtype)
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
