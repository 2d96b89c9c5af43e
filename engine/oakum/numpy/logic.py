"""Comparisons, tests of elements, and logical operations on them and on their bits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import elementwise, inspection, results
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.numpy import arguments, arithmetic, coercion, reductions, ufuncs
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.declarations import public


@public("numpy.equal", elementwise.equality)
def equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where elements are equal."""
    return lax.eq(*coercion.promote("equal", x, y))


@public("numpy.not_equal", elementwise.equality)
def not_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where elements differ."""
    return lax.ne(*coercion.promote("not_equal", x, y))


@public("numpy.less", elementwise.boolean)
def less(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is less."""
    return ordered(lax.lt, *coercion.promote("less", x, y))


def ordered(compare: Callable[[Any, Any], Any], x: ArrayLike, y: ArrayLike) -> Any:
    """Returns a comparison by order; complex numbers are ordered by their real parts first."""
    dtype = aval_of(x).dtype
    if dtype is None or dtype.kind is not Kind.COMPLEX:
        return compare(x, y)
    x, y = arguments.broadcast(x, y)
    same = lax.eq(lax.real(x), lax.real(y))
    return lax.select(same, compare(lax.imag(x), lax.imag(y)), compare(lax.real(x), lax.real(y)))


@public("numpy.less_equal", elementwise.boolean)
def less_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is less or equal."""
    return ordered(lax.le, *coercion.promote("less_equal", x, y))


@public("numpy.greater", elementwise.boolean)
def greater(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is greater."""
    return ordered(lax.gt, *coercion.promote("greater", x, y))


@public("numpy.greater_equal", elementwise.boolean)
def greater_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Tells where the first element is greater or equal."""
    return ordered(lax.ge, *coercion.promote("greater_equal", x, y))


@ufuncs.universal(2, identity=True, reduce=ufuncs.reduction("logical_and", lambda: reductions.ALL))
@public("numpy.logical_and", elementwise.loose_boolean)
def logical_and(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where both elements are true."""
    return lax.bitwise_and(*_truths("logical_and", x, y))


def _truths(function: str, *values: Any) -> list[Any]:
    """Returns whether the elements of operands are not zero; they get one shape."""
    truths = map(coercion.truth, coercion.promote(function, *values))
    return arguments.broadcast(*map(arguments.strong_above_scalars, truths))


@ufuncs.universal(2, identity=False, reduce=ufuncs.reduction("logical_or", lambda: reductions.ANY))
@public("numpy.logical_or", elementwise.loose_boolean)
def logical_or(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where an element is true."""
    return lax.bitwise_or(*_truths("logical_or", x, y))


@ufuncs.universal(
    2, identity=False, reduce=ufuncs.reduction("logical_xor", lambda: reductions.TRUTH_XOR)
)
@public("numpy.logical_xor", elementwise.loose_boolean)
def logical_xor(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Tells where exactly one element is true."""
    return lax.bitwise_xor(*_truths("logical_xor", x, y))


@public("numpy.logical_not", elementwise.loose_boolean)
def logical_not(x: ArrayLike, /) -> Array:
    """Tells where elements are false."""
    return lax.bitwise_not(*_truths("logical_not", x))


@public("numpy.isnan", elementwise.boolean)
def isnan(x: ArrayLike, /) -> Array:
    """Tells where elements are NaN."""
    return is_nan(*arguments.arrays("isnan", x))


def is_nan(x: ArrayLike) -> Any:
    """Returns where elements are NaN: they differ from themselves."""
    return lax.ne(x, x)


@public("numpy.isinf", elementwise.boolean)
def isinf(x: ArrayLike, /) -> Array:
    """Tells where elements are infinite."""
    return is_inf(*arguments.arrays("isinf", x))


def is_inf(x: ArrayLike) -> Any:
    """Returns where elements are infinite, in either part."""
    if arguments.is_complex(x):
        return lax.bitwise_or(is_inf(lax.real(x)), is_inf(lax.imag(x)))
    if not arguments.is_inexact(x):
        return _constantly(x, False)
    return lax.eq(lax.abs(x), coercion.like(x, math.inf))


def _constantly(x: ArrayLike, answer: bool) -> Any:
    """Returns one answer for every element."""
    return lax.full_like(x, answer, host.np.bool_)


@public("numpy.isfinite", elementwise.boolean)
def isfinite(x: ArrayLike, /) -> Array:
    """Tells where elements are neither infinite nor NaN."""
    return _isfinite(*arguments.arrays("isfinite", x))


def _isfinite(x: ArrayLike) -> Any:
    """Returns where elements are neither infinite nor NaN."""
    if arguments.is_complex(x):
        return lax.bitwise_and(lax.is_finite(lax.real(x)), lax.is_finite(lax.imag(x)))
    return lax.is_finite(x) if arguments.is_inexact(x) else _constantly(x, True)


@public("numpy.isposinf", elementwise.boolean)
def isposinf(x: Any, /, out: Any = None) -> Any:
    """Tells where elements are positive infinity."""
    return _is_infinity("isposinf", x, math.inf, out)


def _is_infinity(function: str, x: Array, infinity: float, out: Array) -> Any:
    """Returns where elements are one of the two infinities."""
    (x,) = arguments.arrays(function, x)
    arguments.refuse_out("isneginf/isposinf", out)
    if arguments.is_complex(x):
        raise DTypeError(
            "isposinf/isneginf are not well defined for complex types",
            hint="Ask for the real or the imaginary part.",
        )
    if not arguments.is_inexact(x):
        return _constantly(x, False)
    return lax.eq(x, coercion.like(x, infinity))


@public("numpy.isneginf", elementwise.boolean)
def isneginf(x: Any, /, out: Any = None) -> Any:
    """Tells where elements are negative infinity."""
    return _is_infinity("isneginf", x, -math.inf, out)


@public("numpy.signbit", elementwise.boolean)
def signbit(x: ArrayLike, /) -> Array:
    """Tells where the sign bit is set."""
    return sign_bit(*arguments.arrays("signbit", x))


def sign_bit(x: ArrayLike) -> Any:
    """Returns where the sign bit is set, also that of negative zero."""
    dtype = arguments.dtype_of(x)
    match dtype.kind:
        case Kind.BOOL:
            return _constantly(x, False)
        case Kind.INT | Kind.UINT:
            return lax.lt(x, coercion.like(x, 0))
        case Kind.FLOAT if dtype.bits in (16, 32, 64):
            bits = lax.bitcast_convert_type(x, _SAME_BITS[dtype.bits])
            return lax.lt(bits, coercion.like(bits, 0))
        case Kind.FLOAT:
            raise NotImplementedError("jax.numpy.signbit only supports 16, 32, and 64-bit types.")
        case _:
            raise DTypeError(
                f"jax.numpy.signbit is not well defined for {dtype}", hint="Give real numbers."
            )


_SAME_BITS = {8: "int8", 16: "int16", 32: "int32", 64: "int64"}


@public("numpy.isreal", elementwise.boolean)
def isreal(x: ArrayLike) -> Array:
    """Tells where the imaginary part is zero."""
    (x,) = arguments.arrays("isreal", x)
    return lax.eq(lax.imag(x), 0.0) if arguments.is_complex(x) else _constantly(x, True)


@public("numpy.iscomplex", elementwise.boolean)
def iscomplex(x: ArrayLike) -> Array:
    """Tells where the imaginary part is not zero."""
    (x,) = arguments.arrays("iscomplex", x)
    return lax.ne(lax.imag(x), 0.0) if arguments.is_complex(x) else _constantly(x, False)


@public("numpy.isclose", inspection.closeness, static=("equal_nan",))
def isclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> Array:
    """Tells where elements are equal within a tolerance."""
    return _isclose(a, b, rtol, atol, equal_nan)


def _isclose(
    a: Any, b: Any, rtol: Any, atol: Any, equal_nan: bool, *, function: str = "isclose"
) -> Any:
    """Returns where elements are equal within a tolerance relative to the second."""
    a, b = arguments.broadcast(*coercion.promote(function, a, b))
    if arguments.is_kind(a, Kind.KEY):
        return lax.eq(a, b)
    a, b = coercion.promote_inexact(function, a, b)
    real = dtypes.to_real(arguments.dtype_of(a))
    assert real is not None
    scale = jnp.multiply(coercion.convert(rtol, real), lax.abs(b))
    bound = jnp.add(coercion.convert(atol, real), scale)
    near = less_equal(lax.abs(lax.sub(a, b)), bound)
    result = logical_or(lax.eq(a, b), logical_and(_isfinite(b), near))
    if equal_nan:
        result = logical_or(result, lax.bitwise_and(is_nan(a), is_nan(b)))
    return result


@public(
    "numpy.isin", elementwise.boolean.over("element"), static=("assume_unique", "invert", "method")
)
def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    method: object = "auto",
) -> Array:
    """Tells which elements occur in a second array."""
    x, y = coercion.promote_dtypes(arguments.arrays("isin", element, test_elements))
    shape = arguments.shape_of(x)
    if method not in _METHODS:
        raise ValueError(f"{method=} is not implemented; options are {', '.join(_METHODS)}")
    x, y = lax.reshape(x, (x.size, 1)), lax.reshape(y, (1, y.size))
    if method in ("auto", "compare_all"):
        found = jnp.any(equal(x, y), 1)
    elif y.size:
        ranked: Any = lax.sort(lax.reshape(y, (y.size,)))
        place = jnp.searchsorted(ranked, lax.reshape(x, (x.size,)))
        found = equal(lax.reshape(x, (x.size,)), jnp.take(ranked, place, mode="clip"))
    else:
        found = jnp.zeros(x.size, bool)
    found = lax.reshape(found, shape)
    return lax.bitwise_not(found) if invert else found


_METHODS = ("auto", "compare_all", "binary_search", "sort")


@public("numpy.allclose", inspection.all_close, static=("equal_nan",))
def allclose(
    a: ArrayLike,
    b: ArrayLike,
    rtol: ArrayLike = 1e-05,
    atol: ArrayLike = 1e-08,
    equal_nan: bool = False,
) -> Array:
    """Tells whether two arrays are equal within a tolerance."""
    close = _isclose(a, b, rtol, atol, equal_nan, function="allclose")
    return lax.reduce_and(close, tuple(range(arguments.rank_of(close))))


@public("numpy.array_equal", inspection.answer, static=("equal_nan",))
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Array:
    """Tells whether two arrays have the same shape and elements."""
    a, b = (jnp.asarray(each) for each in (a1, a2))
    if a.shape != b.shape:
        return coercion.staged(host.np.bool_(False))
    equal = jnp.equal(a, b)
    if equal_nan:
        equal = lax.bitwise_or(equal, lax.bitwise_and(is_nan(a), is_nan(b)))
    return jnp.all(equal)


@public("numpy.array_equiv", inspection.answer)
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Tells whether two arrays are equal after broadcasting."""
    a, b = jnp.asarray(a1), jnp.asarray(a2)
    try:
        return jnp.all(equal(a, b))
    except ValueError:
        return coercion.staged(host.np.bool_(False))


@ufuncs.universal(
    2, identity=-1, reduce=ufuncs.reduction("bitwise_and", lambda: reductions.BITS_AND)
)
@public("numpy.bitwise_and", elementwise.integer)
def bitwise_and(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the conjunction of bits."""
    return lax.bitwise_and(*coercion.promote("bitwise_and", x, y))


@ufuncs.universal(2, identity=0, reduce=ufuncs.reduction("bitwise_or", lambda: reductions.BITS_OR))
@public("numpy.bitwise_or", elementwise.integer)
def bitwise_or(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the disjunction of bits."""
    return lax.bitwise_or(*coercion.promote("bitwise_or", x, y))


@ufuncs.universal(
    2, identity=0, reduce=ufuncs.reduction("bitwise_xor", lambda: reductions.BITS_XOR)
)
@public("numpy.bitwise_xor", elementwise.integer)
def bitwise_xor(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the exclusive disjunction of bits."""
    return lax.bitwise_xor(*coercion.promote("bitwise_xor", x, y))


@public("numpy.bitwise_not", elementwise.integer)
def bitwise_not(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*coercion.promote("bitwise_not", x))


@public("numpy.bitwise_invert", elementwise.integer)
def bitwise_invert(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*coercion.promote("bitwise_invert", x))


@public("numpy.invert", elementwise.integer)
def invert(x: ArrayLike, /) -> Array:
    """Inverts bits."""
    return lax.bitwise_not(*coercion.promote("invert", x))


@public("numpy.bitwise_count", elementwise.bit_count)
def bitwise_count(x: ArrayLike, /) -> Array:
    """Counts the bits that are set in the absolute value."""
    (x,) = coercion.promote_numeric("bitwise_count", x)
    return arguments.convert(lax.population_count(arithmetic.absolute_value(x)), dtypes.uint8)


@public("numpy.left_shift", elementwise.shifts)
def left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shifts bits to the left."""
    return lax.shift_left(*coercion.promote_numeric("left_shift", x, y))


@public("numpy.right_shift", elementwise.shifts)
def right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shifts bits to the right."""
    return _right_shift(*coercion.promote_numeric("right_shift", x1, x2))


def _right_shift(x: ArrayLike, y: ArrayLike) -> Any:
    """Shifts to the right, which keep the sign of numbers that have one."""
    if arguments.is_kind(x, Kind.UINT):
        return lax.shift_right_logical(x, y)
    return lax.shift_right_arithmetic(x, y)


@public("numpy.bitwise_left_shift", elementwise.shifts)
def bitwise_left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shifts bits to the left."""
    return lax.shift_left(*coercion.promote_numeric("bitwise_left_shift", x, y))


@public("numpy.bitwise_right_shift", elementwise.shifts)
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shifts bits to the right."""
    return _right_shift(*coercion.promote_numeric("bitwise_right_shift", x1, x2))


@public("numpy.packbits", results.array, static=("axis", "bitorder"))
def packbits(a: ArrayLike, axis: int | None = None, bitorder: str = "big") -> Array:
    """Packs booleans into the bits of bytes."""
    (a,) = arguments.arrays("packbits", a)
    if not arguments.is_kind(a, Kind.BOOL, Kind.INT, Kind.UINT):
        raise errors.DTypeError("Expected an input array of integer or boolean data type")
    places = _weights(bitorder)
    a = lax.convert_element_type(jnp.not_equal(a, 0), "uint8")
    if axis is None:
        a, axis = jnp.ravel(a), 0
    a = jnp.moveaxis(a, axis, -1)
    missing = -arguments.shape_of(a)[-1] % 8
    if missing:
        a = jnp.pad(a, [(0, 0)] * (arguments.rank_of(a) - 1) + [(0, missing)])
    a = jnp.reshape(a, (*arguments.shape_of(a)[:-1], arguments.shape_of(a)[-1] // 8, 8))
    shifted = left_shift(a, _beside(places, a))
    return jnp.moveaxis(jnp.sum(shifted, axis=-1, dtype="uint8"), -1, axis)


def _beside(places: Any, a: ArrayLike) -> Any:
    """Returns the places along the last axis of an array."""
    return jnp.expand_dims(places, tuple(range(arguments.rank_of(a) - 1)))


def _weights(order: str) -> Any:
    if order not in ("little", "big"):
        raise ValueError("'order' must be either 'little' or 'big'")
    places = jnp.arange(8, dtype="uint8")
    return places if order == "little" else jnp.flip(places)


@public("numpy.unpackbits", results.array, static=("axis", "count", "bitorder"))
def unpackbits(
    a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Array:
    """Unpacks the bits of bytes."""
    (a,) = arguments.arrays("unpackbits", a)
    if arguments.dtype_of(a).name != "uint8":
        raise errors.DTypeError("Expected an input array of unsigned byte data type")
    places = _weights(bitorder)
    if axis is None:
        a, axis = jnp.ravel(a), 0
    a = jnp.moveaxis(a, axis, -1)
    spread = jnp.expand_dims(a, -1)
    taken = bitwise_and(right_shift(spread, _beside(places, spread)), 1)
    shape = arguments.shape_of(a)
    flat = jnp.reshape(lax.convert_element_type(taken, "uint8"), (*shape[:-1], 8 * shape[-1]))
    if count is not None:
        total = 8 * shape[-1]
        flat = flat[..., :count]
        if count > total:
            flat = jnp.pad(flat, [(0, 0)] * (len(shape) - 1) + [(0, count - total)])
    return jnp.moveaxis(flat, -1, axis)
