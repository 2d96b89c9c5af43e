"""Comparisons, tests and logical operations."""

from __future__ import annotations

import math
from typing import Any

from oakum import dtypes, lax
from oakum.abstract import elementwise, inspection
from oakum.array import Array
from oakum.numpy import arguments, arithmetic, comparing, promoting, reducing, universal
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("numpy.equal", elementwise.equality)
def equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where elements are equal."""
    return lax.eq(*promoting.promote("equal", x, y))


@public("numpy.not_equal", elementwise.equality)
def not_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where elements differ."""
    return lax.ne(*promoting.promote("not_equal", x, y))


@public("numpy.less", elementwise.boolean)
def less(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is less."""
    return comparing.ordered(lax.lt, *promoting.promote("less", x, y))


@public("numpy.less_equal", elementwise.boolean)
def less_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is less or equal."""
    return comparing.ordered(lax.le, *promoting.promote("less_equal", x, y))


@public("numpy.greater", elementwise.boolean)
def greater(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is greater."""
    return comparing.ordered(lax.gt, *promoting.promote("greater", x, y))


@public("numpy.greater_equal", elementwise.boolean)
def greater_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is greater or equal."""
    return comparing.ordered(lax.ge, *promoting.promote("greater_equal", x, y))


@universal.universal(
    2, identity=True, reduce=universal.reduction("logical_and", lambda: reducing.ALL)
)
@public("numpy.logical_and", elementwise.loose_boolean)
def logical_and(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where both elements are true."""
    return lax.bitwise_and(*comparing.truths("logical_and", x, y))


@universal.universal(
    2, identity=False, reduce=universal.reduction("logical_or", lambda: reducing.ANY)
)
@public("numpy.logical_or", elementwise.loose_boolean)
def logical_or(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where an element is true."""
    return lax.bitwise_or(*comparing.truths("logical_or", x, y))


@universal.universal(
    2, identity=False, reduce=universal.reduction("logical_xor", lambda: reducing.TRUTH_XOR)
)
@public("numpy.logical_xor", elementwise.loose_boolean)
def logical_xor(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where exactly one element is true."""
    return lax.bitwise_xor(*comparing.truths("logical_xor", x, y))


@public("numpy.logical_not", elementwise.loose_boolean)
def logical_not(x: ArrayLike, /) -> Array:
    """Tells where elements are false."""
    return lax.bitwise_not(*comparing.truths("logical_not", x))


@public("numpy.isnan", elementwise.boolean)
def isnan(x: ArrayLike, /) -> Array:
    """Tells where elements are NaN."""
    return comparing.isnan(*arguments.arrays("isnan", x))


@public("numpy.isinf", elementwise.boolean)
def isinf(x: ArrayLike, /) -> Array:
    """Tells where elements are infinite."""
    return comparing.isinf(*arguments.arrays("isinf", x))


@public("numpy.isfinite", elementwise.boolean)
def isfinite(x: ArrayLike, /) -> Array:
    """Tells where elements are neither infinite nor NaN."""
    return comparing.isfinite(*arguments.arrays("isfinite", x))


@public("numpy.isposinf", elementwise.boolean)
def isposinf(x: Any, /, out: Any = None) -> Any:
    """Tells where elements are positive infinity."""
    return comparing.is_infinity("isposinf", x, math.inf, out)


@public("numpy.isneginf", elementwise.boolean)
def isneginf(x: Any, /, out: Any = None) -> Any:
    """Tells where elements are negative infinity."""
    return comparing.is_infinity("isneginf", x, -math.inf, out)


@public("numpy.signbit", elementwise.boolean)
def signbit(x: ArrayLike, /) -> Array:
    """Tells where the sign bit is set."""
    return comparing.signbit(*arguments.arrays("signbit", x))


@public("numpy.isreal", elementwise.boolean)
def isreal(x: ArrayLike) -> Array:
    """Tells where the imaginary part is zero."""
    return comparing.isreal(*arguments.arrays("isreal", x))


@public("numpy.iscomplex", elementwise.boolean)
def iscomplex(x: ArrayLike) -> Array:
    """Tells where the imaginary part is not zero."""
    return comparing.iscomplex(*arguments.arrays("iscomplex", x))


@public("numpy.isclose", inspection.closeness, static=("equal_nan",))
def isclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> Array:
    """Tells where elements are equal within a tolerance."""
    return comparing.isclose(a, b, rtol, atol, equal_nan)


@public(
    "numpy.isin", elementwise.boolean.over("element"), static=("assume_unique", "invert", "method")
)
def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    method: Any = "auto",
) -> Array:
    """Tells which elements occur in a second array."""
    return comparing.isin(element, test_elements, invert, method)


@public("numpy.allclose", inspection.all_close, static=("equal_nan",))
def allclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> Array:
    """Tells whether two arrays are equal within a tolerance."""
    close = comparing.isclose(a, b, rtol, atol, equal_nan, function="allclose")
    return lax.reduce_and(close, tuple(range(arguments.rank_of(close))))


@public("numpy.array_equal", inspection.answer, static=("equal_nan",))
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Array:
    """Tells whether two arrays have the same shape and elements."""
    return comparing.array_equal(a1, a2, equal_nan)


@public("numpy.array_equiv", inspection.answer)
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Tells whether two arrays are equal after broadcasting."""
    return comparing.array_equiv(a1, a2)


@universal.universal(
    2, identity=-1, reduce=universal.reduction("bitwise_and", lambda: reducing.BITS_AND)
)
@public("numpy.bitwise_and", elementwise.integer)
def bitwise_and(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the conjunction of bits."""
    return lax.bitwise_and(*promoting.promote("bitwise_and", x, y))


@universal.universal(
    2, identity=0, reduce=universal.reduction("bitwise_or", lambda: reducing.BITS_OR)
)
@public("numpy.bitwise_or", elementwise.integer)
def bitwise_or(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the disjunction of bits."""
    return lax.bitwise_or(*promoting.promote("bitwise_or", x, y))


@universal.universal(
    2, identity=0, reduce=universal.reduction("bitwise_xor", lambda: reducing.BITS_XOR)
)
@public("numpy.bitwise_xor", elementwise.integer)
def bitwise_xor(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the exclusive disjunction of bits."""
    return lax.bitwise_xor(*promoting.promote("bitwise_xor", x, y))


@public("numpy.bitwise_not", elementwise.integer)
def bitwise_not(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*promoting.promote("bitwise_not", x))


@public("numpy.bitwise_invert", elementwise.integer)
def bitwise_invert(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*promoting.promote("bitwise_invert", x))


@public("numpy.invert", elementwise.integer)
def invert(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*promoting.promote("invert", x))


@public("numpy.bitwise_count", elementwise.bit_count)
def bitwise_count(x: ArrayLike, /) -> Array:
    """Counts the bits that are set in the absolute value."""
    (x,) = promoting.promote_numeric("bitwise_count", x)
    return arguments.convert(lax.population_count(arithmetic.absolute(x)), dtypes.uint8)


@public("numpy.left_shift", elementwise.shifts)
def left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shifts bits to the left."""
    return lax.shift_left(*promoting.promote_numeric("left_shift", x, y))


@public("numpy.right_shift", elementwise.shifts)
def right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shifts bits to the right."""
    return comparing.right_shift(*promoting.promote_numeric("right_shift", x1, x2))


@public("numpy.bitwise_left_shift", elementwise.shifts)
def bitwise_left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shifts bits to the left."""
    return lax.shift_left(*promoting.promote_numeric("bitwise_left_shift", x, y))


@public("numpy.bitwise_right_shift", elementwise.shifts)
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shifts bits to the right."""
    return comparing.right_shift(*promoting.promote_numeric("bitwise_right_shift", x1, x2))
