"""Arithmetic that NumPy lacks: fused multiplication and addition, high halves, carries."""

from __future__ import annotations

from typing import Any, Final

from oakum.values import host

_SPLITTER: Final = 134217729.0  # 2 ** 27 + 1: halves of a float64 whose products are exact.


def fused_multiply_add(a: host.Array, b: host.Array, c: host.Array) -> Any:
    """`a * b + c`, rounded once.

    Of float32 and float16 the product is exact in float64; the sum is rounded to odd there, which
    rounding again does not spoil. Of float64 the product is a pair of numbers, and what is lost in
    adding the third is rounded to odd (Boldo and Melquiond, "Emulation of a FMA", 2008); products
    that overflow halves are rounded twice.
    """
    np = host.np
    if a.dtype != np.float64 and b.dtype != np.float64:
        wide = np.float64
        total, rest = _two_sum(a.astype(wide) * b.astype(wide), c.astype(wide))
        return _to_odd(total, rest).astype(np.result_type(a, b, c))
    product = a * b
    error = _error_of_product(a, b, product)
    low, lowest = _two_sum(c, error)
    high, middle = _two_sum(product, low)
    result = high + _to_odd(*_two_sum(lowest, middle))
    # The terms that make up the sum lose the sign of a zero that is exact.
    is_zero = (result == 0) & (error == 0)
    return np.where(np.isfinite(result) & np.isfinite(error) & ~is_zero, result, product + c)


def _two_sum(a: host.Array, b: host.Array) -> tuple[Any, Any]:
    """Returns a sum and what its rounding has lost."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _error_of_product(a: host.Array, b: host.Array, product: host.Array) -> Any:
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(x: host.Array) -> tuple[Any, Any]:
    high = x * _SPLITTER
    high = high - (high - x)
    return high, x - high


def _to_odd(total: host.Array, rest: host.Array) -> Any:
    """Returns a sum of two, of which the second was lost, with its last bit set if it was not
    zero.
    """
    np = host.np
    total = np.asarray(total)
    bits = total.view(np.int64)
    inexact = np.isfinite(total) & (rest != 0) & (bits & 1 == 0)
    toward = np.where((rest > 0) == (total > 0), 1, -1)
    return np.where(inexact, bits + toward, bits).view(np.float64)


def multiply_high(a: host.Array, b: host.Array) -> Any:
    """Returns the high half of the product of integers."""
    np = host.np
    bits = 8 * a.dtype.itemsize
    if bits < 64:
        wide = np.dtype(f"{a.dtype.kind}8")
        return ((a.astype(wide) * b.astype(wide)) >> wide.type(bits)).astype(a.dtype)
    x, y = np.asarray(a).view(np.uint64), np.asarray(b).view(np.uint64)
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    x_low, x_high, y_low, y_high = x & mask, x >> half, y & mask, y >> half
    middle = (x_low * y_low >> half) + (x_high * y_low & mask) + (x_low * y_high & mask)
    result = x_high * y_high + (x_high * y_low >> half) + (x_low * y_high >> half)
    result = result + (middle >> half)
    if a.dtype.kind == "u":
        return result
    result = result - np.where(a < 0, y, np.uint64(0)) - np.where(b < 0, x, np.uint64(0))
    return result.view(np.int64)


def with_carry(a: host.Array, b: host.Array, carry: host.Array) -> tuple[Any, Any]:
    """Returns the sum of two unsigned numbers and a carry, and the carry of that.

    >>> from oakum.values.host import np
    >>> x = np.array([255], np.uint8)
    >>> with_carry(x, x, np.array([True]))
    (array([255], dtype=uint8), array([ True]))
    """
    both = a + b
    total = both + carry
    return total, (both < a) | (total < both)


def with_borrow(a: host.Array, b: host.Array, borrow: host.Array) -> tuple[Any, Any]:
    """Returns the difference of two unsigned numbers less a borrow, and the borrow of that."""
    return a - b - borrow, (a < b) | ((a == b) & borrow)
