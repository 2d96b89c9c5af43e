"""Elementwise operations, on operands of equal shape and dtype."""

from __future__ import annotations

from oakum import primitives
from oakum.abstract import lax_rules, selection
from oakum.abstract.elementwise import (
    ANYTHING,
    BITS,
    COMPLEX,
    FLOATS,
    INEXACT,
    INTEGERS,
    KEYS_TOO,
    NUMBERS,
    ORDERED,
    PARTS,
    REALS,
    SIGNED,
    exact,
)
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.lax import operands
from oakum.lax.options import RoundingMethod
from oakum.primitives.rules.arguments import integer
from oakum.tracing.dtype_requests import requested
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public


@public("lax.abs", exact(SIGNED, "real"), edge="square")
def abs(x: ArrayLike) -> Array:
    """Computes absolute values."""
    return primitives.arithmetic.abs_p.bind(x)


@public("lax.add", exact(NUMBERS, promoting="add"))
def add(x: ArrayLike, y: ArrayLike) -> Array:
    """Adds elements."""
    return primitives.arithmetic.add_p.bind(*operands.agreed("add", x, y))


@public("lax.atan2", exact(INEXACT, promoting="arctan2"), edge="corner")
def atan2(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the angles of points, in the right quadrant."""
    return primitives.arithmetic.atan2_p.bind(*operands.agreed("atan2", x, y))


@public("lax.bitwise_and", exact(BITS, promoting="bitwise_and"))
def bitwise_and(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the conjunction of bits."""
    return primitives.bitwise.and_p.bind(*operands.agreed("and", x, y))


@public("lax.bitwise_not", exact(BITS))
def bitwise_not(x: ArrayLike) -> Array:
    """Inverts bits."""
    return primitives.bitwise.not_p.bind(x)


@public("lax.bitwise_or", exact(BITS, promoting="bitwise_or"))
def bitwise_or(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the disjunction of bits."""
    return primitives.bitwise.or_p.bind(*operands.agreed("or", x, y))


@public("lax.bitwise_xor", exact(BITS, promoting="bitwise_xor"))
def bitwise_xor(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the exclusive disjunction of bits."""
    return primitives.bitwise.xor_p.bind(*operands.agreed("xor", x, y))


@public("lax.ceil", exact(FLOATS), zero_derivative=True, edge="square")
def ceil(x: ArrayLike) -> Array:
    """Rounds up."""
    return primitives.rounding.ceil_p.bind(x)


@public("lax.clamp", selection.clamp, edge="guards")
def clamp(min: ArrayLike, x: ArrayLike, max: ArrayLike) -> Array:
    """Limits elements to an interval."""
    return primitives.selection.clamp_p.bind(*operands.limited(min, x, max))


@public("lax.clz", exact(INTEGERS))
def clz(x: ArrayLike) -> Array:
    """Counts the leading zero bits."""
    return primitives.bitwise.clz_p.bind(x)


@public("lax.complex", exact(PARTS, "complex"))
def complex(x: ArrayLike, y: ArrayLike) -> Array:
    """Makes complex numbers of real and imaginary parts."""
    return primitives.conversion.complex_p.bind(*operands.agreed("complex", x, y))


@public("lax.conj", exact((*PARTS, *COMPLEX), "complex"))
def conj(x: ArrayLike) -> Array:
    """Computes complex conjugates."""
    dtype = aval_of(x).dtype
    return primitives.conversion.conj_p.bind(x, input_dtype=dtype)


@public("lax.div", exact(NUMBERS, promoting="divide"), edge="singular")
def div(x: ArrayLike, y: ArrayLike) -> Array:
    """Divides elements; integers round toward zero."""
    return primitives.arithmetic.div_p.bind(*operands.agreed("div", x, y))


@public("lax.eq", exact(KEYS_TOO, "boolean", promoting="equal"))
def eq(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where elements are equal."""
    return primitives.comparison.eq_p.bind(*operands.agreed("eq", x, y))


@public("lax.floor", exact(FLOATS), zero_derivative=True, edge="square")
def floor(x: ArrayLike) -> Array:
    """Rounds down."""
    return primitives.rounding.floor_p.bind(x)


@public("lax.ge", exact(ORDERED, "boolean", promoting="greater_equal"))
def ge(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where the first element is greater or equal."""
    return primitives.comparison.ge_p.bind(*operands.agreed("ge", x, y))


@public("lax.gt", exact(ORDERED, "boolean", promoting="greater"))
def gt(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where the first element is greater."""
    return primitives.comparison.gt_p.bind(*operands.agreed("gt", x, y))


@public("lax.imag", exact(COMPLEX, "real"))
def imag(x: ArrayLike) -> Array:
    """Returns the imaginary part."""
    return primitives.conversion.imag_p.bind(x)


@public("lax.integer_pow", lax_rules.integer_power, static=("y",))
def integer_pow(x: ArrayLike, y: int) -> Array:
    """Raises elements to a static integer power."""
    return primitives.arithmetic.integer_pow_p.bind(x, y=y)


@public("lax.is_finite", exact(FLOATS, "boolean"))
def is_finite(x: ArrayLike) -> Array:
    """Tells where elements are neither infinite nor NaN."""
    return primitives.rounding.is_finite_p.bind(x)


@public("lax.le", exact(ORDERED, "boolean", promoting="less_equal"))
def le(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where the first element is less or equal."""
    return primitives.comparison.le_p.bind(*operands.agreed("le", x, y))


@public("lax.lt", exact(ORDERED, "boolean", promoting="less"))
def lt(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where the first element is less."""
    return primitives.comparison.lt_p.bind(*operands.agreed("lt", x, y))


@public("lax.max", exact(ANYTHING, promoting="maximum"), edge="bounds")
def max(x: ArrayLike, y: ArrayLike) -> Array:
    """Returns the greater of two elements."""
    return primitives.arithmetic.max_p.bind(*operands.agreed("max", x, y))


@public("lax.min", exact(ANYTHING, promoting="minimum"), edge="bounds")
def min(x: ArrayLike, y: ArrayLike) -> Array:
    """Returns the lesser of two elements."""
    return primitives.arithmetic.min_p.bind(*operands.agreed("min", x, y))


@public("lax.mul", lax_rules.product)
def mul(x: ArrayLike, y: ArrayLike, *, out_dtype: DTypeLike | None = None) -> Array:
    """Multiplies elements."""
    asked = None if out_dtype is None else requested(out_dtype, "mul")
    if asked is None:
        return primitives.arithmetic.mul_p.bind(*operands.agreed("mul", x, y), out_dtype=None)
    return primitives.arithmetic.mul_p.bind(*operands.of_one_shape("mul", x, y), out_dtype=asked)


@public("lax.mulhi", exact(INTEGERS))
def mulhi(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Returns the high half of the product of integers."""
    return primitives.bitwise.mulhi_p.bind(*operands.agreed("mulhi", x, y))


@public("lax.ne", exact(KEYS_TOO, "boolean", promoting="not_equal"))
def ne(x: ArrayLike, y: ArrayLike) -> Array:
    """Tells where elements differ."""
    return primitives.comparison.ne_p.bind(*operands.agreed("ne", x, y))


@public("lax.neg", exact(NUMBERS))
def neg(x: ArrayLike) -> Array:
    """Negates elements."""
    return primitives.arithmetic.neg_p.bind(x)


@public("lax.nextafter", exact(FLOATS, promoting="nextafter"))
def nextafter(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Returns the next number that floating point has after each element, toward another."""
    return primitives.rounding.nextafter_p.bind(*operands.agreed("nextafter", x1, x2))


@public("lax.population_count", exact(INTEGERS))
def population_count(x: ArrayLike) -> Array:
    """Counts the bits that are set."""
    return primitives.bitwise.population_count_p.bind(x)


@public("lax.pow", lax_rules.power)
def pow(x: ArrayLike, y: ArrayLike) -> Array:
    """Raises elements to powers."""
    return primitives.arithmetic.pow_p.bind(*operands.power(x, y))


@public("lax.real", exact(COMPLEX, "real"))
def real(x: ArrayLike) -> Array:
    """Returns the real part."""
    return primitives.conversion.real_p.bind(x)


@public("lax.reciprocal", exact(INEXACT))
def reciprocal(x: ArrayLike) -> Array:
    """Computes reciprocals."""
    return integer_pow(x, -1)


@public(
    "lax.reduce_precision", exact(FLOATS).over("operand"), static=("exponent_bits", "mantissa_bits")
)
def reduce_precision(operand: ArrayLike, exponent_bits: int, mantissa_bits: int) -> Array:
    """Rounds elements to a smaller floating-point format."""
    bits = integer(exponent_bits), integer(mantissa_bits)
    return primitives.rounding.reduce_precision_p.bind(
        operand, exponent_bits=bits[0], mantissa_bits=bits[1]
    )


@public("lax.rem", exact(REALS, promoting="remainder"))
def rem(x: ArrayLike, y: ArrayLike) -> Array:
    """Computes the remainder of division, with the sign of the dividend."""
    return primitives.arithmetic.rem_p.bind(*operands.agreed("rem", x, y))


@public("lax.round", exact(FLOATS), zero_derivative=True, edge="square")
def round(x: ArrayLike, rounding_method: object = 0) -> Array:
    """Rounds to the nearest integer."""
    method = RoundingMethod(rounding_method)
    return primitives.rounding.round_p.bind(x, rounding_method=method)


@public("lax.select", selection.lax_select, edge="selects", spread_over="pred")
def select(pred: ArrayLike, on_true: ArrayLike, on_false: ArrayLike) -> Array:
    """Picks elements from two arrays by a condition."""
    return select_n(pred, on_false, on_true)


@public("lax.select_n", selection.select_n, spread_over="which")
def select_n(which: ArrayLike, *cases: ArrayLike) -> Array:
    """Picks elements from several arrays by an index."""
    if not cases:
        raise ShapeError("select_n() must have at least one case", hint="Give the cases.")
    return primitives.selection.select_n_p.bind(which, *operands.cases(cases))


@public("lax.shift_left", exact(INTEGERS, promoting="left_shift"))
def shift_left(x: ArrayLike, y: ArrayLike) -> Array:
    """Shifts bits to the left."""
    return primitives.bitwise.shift_left_p.bind(*operands.agreed("shift_left", x, y))


@public("lax.shift_right_arithmetic", exact(INTEGERS, promoting="right_shift"))
def shift_right_arithmetic(x: ArrayLike, y: ArrayLike) -> Array:
    """Shifts bits to the right and keeps the sign."""
    return primitives.bitwise.shift_right_arithmetic_p.bind(
        *operands.agreed("shift_right_arithmetic", x, y)
    )


@public("lax.shift_right_logical", exact(INTEGERS, promoting="right_shift"))
def shift_right_logical(x: ArrayLike, y: ArrayLike) -> Array:
    """Shifts bits to the right and fills with zeros."""
    return primitives.bitwise.shift_right_logical_p.bind(
        *operands.agreed("shift_right_logical", x, y)
    )


@public("lax.sign", exact(NUMBERS), zero_derivative=True, edge="square")
def sign(x: ArrayLike) -> Array:
    """Returns -1, 0 or 1 by the sign of each element."""
    return primitives.arithmetic.sign_p.bind(x)


@public("lax.square", exact(NUMBERS), edge="square")
def square(x: ArrayLike) -> Array:
    """Squares elements."""
    return primitives.arithmetic.square_p.bind(x)


@public("lax.sub", exact(NUMBERS, promoting="subtract"))
def sub(x: ArrayLike, y: ArrayLike) -> Array:
    """Subtracts the elements of the second array from those of the first."""
    return primitives.arithmetic.sub_p.bind(*operands.agreed("sub", x, y))
