"""Comparisons, tests and logical operations."""

from __future__ import annotations

from typing import Any

from oakum.abstract import elementwise, layouts, particular
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("numpy.equal", elementwise.boolean)
def equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where elements are equal."""
    ...


@public("numpy.not_equal", elementwise.boolean)
def not_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where elements differ."""
    ...


@public("numpy.less", elementwise.boolean)
def less(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is less."""
    ...


@public("numpy.less_equal", elementwise.boolean)
def less_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is less or equal."""
    ...


@public("numpy.greater", elementwise.boolean)
def greater(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is greater."""
    ...


@public("numpy.greater_equal", elementwise.boolean)
def greater_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is greater or equal."""
    ...


@public("numpy.logical_and", elementwise.boolean)
def logical_and(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where both elements are true."""
    ...


@public("numpy.logical_or", elementwise.boolean)
def logical_or(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where an element is true."""
    ...


@public("numpy.logical_xor", elementwise.boolean)
def logical_xor(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where exactly one element is true."""
    ...


@public("numpy.logical_not", elementwise.boolean)
def logical_not(x: ArrayLike, /) -> Array:
    """Tells where elements are false."""
    ...


@public("numpy.isnan", elementwise.boolean)
def isnan(x: ArrayLike, /) -> Array:
    """Tells where elements are NaN."""
    ...


@public("numpy.isinf", elementwise.boolean)
def isinf(x: ArrayLike, /) -> Array:
    """Tells where elements are infinite."""
    ...


@public("numpy.isfinite", elementwise.boolean)
def isfinite(x: ArrayLike, /) -> Array:
    """Tells where elements are neither infinite nor NaN."""
    ...


@public("numpy.isposinf", elementwise.boolean)
def isposinf(x: Any, /, out: Any = None) -> Any:
    """Tells where elements are positive infinity."""
    ...


@public("numpy.isneginf", elementwise.boolean)
def isneginf(x: Any, /, out: Any = None) -> Any:
    """Tells where elements are negative infinity."""
    ...


@public("numpy.signbit", elementwise.boolean)
def signbit(x: ArrayLike, /) -> Array:
    """Tells where the sign bit is set."""
    ...


@public("numpy.isreal", elementwise.boolean)
def isreal(x: ArrayLike) -> Array:
    """Tells where the imaginary part is zero."""
    ...


@public("numpy.iscomplex", elementwise.boolean)
def iscomplex(x: ArrayLike) -> Array:
    """Tells where the imaginary part is not zero."""
    ...


@public("numpy.isclose", elementwise.boolean.over("a", "b", "rtol", "atol"), static=("equal_nan",))
def isclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> Array:
    """Tells where elements are equal within a tolerance."""
    ...


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
    ...


@public("numpy.allclose", layouts.answer, static=("equal_nan",))
def allclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> Array:
    """Tells whether two arrays are equal within a tolerance."""
    ...


@public("numpy.array_equal", layouts.answer, static=("equal_nan",))
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Array:
    """Tells whether two arrays have the same shape and elements."""
    ...


@public("numpy.array_equiv", layouts.answer)
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Tells whether two arrays are equal after broadcasting."""
    ...


@public("numpy.bitwise_and", elementwise.integer)
def bitwise_and(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the conjunction of bits."""
    ...


@public("numpy.bitwise_or", elementwise.integer)
def bitwise_or(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the disjunction of bits."""
    ...


@public("numpy.bitwise_xor", elementwise.integer)
def bitwise_xor(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the exclusive disjunction of bits."""
    ...


@public("numpy.bitwise_not", elementwise.integer)
def bitwise_not(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    ...


@public("numpy.bitwise_invert", elementwise.integer)
def bitwise_invert(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    ...


@public("numpy.invert", elementwise.integer)
def invert(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    ...


@public("numpy.bitwise_count", particular.bit_count)
def bitwise_count(x: ArrayLike, /) -> Array:
    """Counts the bits that are set in the absolute value."""
    ...


@public("numpy.left_shift", elementwise.arithmetic)
def left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shifts bits to the left."""
    ...


@public("numpy.right_shift", elementwise.arithmetic)
def right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shifts bits to the right."""
    ...


@public("numpy.bitwise_left_shift", particular.shifted)
def bitwise_left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shifts bits to the left."""
    ...


@public("numpy.bitwise_right_shift", particular.shifted)
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shifts bits to the right."""
    ...
