"""Arithmetic: sums, products, quotients, powers, extrema, angles."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract import elementwise, lax_rules
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError
from oakum.primitives.rules import batching, declared, lowering, numpy_evaluation
from oakum.primitives.rules.arguments import dtype_of, number_like
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.primitives.rules.derivatives import Operand, binary, is_undefined, unary
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray

_EXACT = "iub"
"""What NumPy calls the kinds of integers and booleans."""


def is_complex(x: ArrayLike) -> bool:
    """Whether an array holds complex numbers."""
    return dtype_of(x).kind is Kind.COMPLEX


def zeros_like(x: ArrayLike) -> Any:
    """Zeros of the shape and dtype of an array."""
    return lax.full_like(x, 0)


def without_zeros(x: ArrayLike) -> Any:
    """Returns the array with ones in place of zeros, to divide by it or take its logarithm."""
    return lax.select(lax.eq(x, number_like(x, 0)), lax.full_like(x, 1), x)


def _add_transpose(ct: ArrayLike, x: object, y: object) -> list[Any]:
    return [ct if is_undefined(each) else None for each in (x, y)]


def _sub_transpose(ct: ArrayLike, x: object, y: object) -> list[Any]:
    return [ct if is_undefined(x) else None, lax.neg(ct) if is_undefined(y) else None]


def _neg_transpose(ct: ArrayLike, x: object) -> list[Any]:
    return [lax.neg(ct)]


add_p = elementwise_primitive(
    "add",
    numpy_evaluation.by("add"),
    binary(lambda g, out, x, y: g, lambda g, out, x, y: g),
    transpose=_add_transpose,
    exact=True,
)

sub_p = elementwise_primitive(
    "sub",
    numpy_evaluation.by("subtract"),
    binary(lambda g, out, x, y: g, lambda g, out, x, y: lax.neg(g)),
    transpose=_sub_transpose,
    exact=True,
)

neg_p = elementwise_primitive(
    "neg", numpy_evaluation.by("negative"), linear=True, transpose=_neg_transpose, exact=True
)


def _mul_abstract(x: ShapedArray, y: ShapedArray, *, out_dtype: DType | None) -> ShapedArray:
    if out_dtype is None:
        return lax_rules.FACTORS.exact(x, y)
    if x.shape != y.shape:
        raise elementwise.different_shapes("mul", (x, y))
    return lax_rules.exact_product(x, y, out_dtype)


_multiply = numpy_evaluation.by("multiply")


def _mul(xp: ModuleType, x: host.Array, y: host.Array, *, out_dtype: DType | None) -> Any:
    if out_dtype is None:
        return _multiply(xp, x, y)
    dtype = host.dtype(out_dtype)
    return _multiply(xp, x.astype(dtype), y.astype(dtype))


def _mul_transpose(ct: ArrayLike, x: Operand, y: Operand, *, out_dtype: DType | None) -> list[Any]:
    if is_undefined(x):
        back = None if out_dtype is None else dtype_of(x.aval)
        return [mul_p.bind(ct, y, out_dtype=back), None]
    assert is_undefined(y)
    back = None if out_dtype is None else dtype_of(y.aval)
    return [None, mul_p.bind(x, ct, out_dtype=back)]


def _mul_left(
    g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike, *, out_dtype: DType | None
) -> Any:
    return mul_p.bind(g, y, out_dtype=out_dtype)


def _mul_right(
    g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike, *, out_dtype: DType | None
) -> Any:
    return mul_p.bind(x, g, out_dtype=out_dtype)


mul_p = Primitive(
    "mul",
    abstract=_mul_abstract,
    evaluate=_mul,
    derivatives=(_mul_left, _mul_right),
    transpose=_mul_transpose,
    batch=batching.elementwise,
    lower=lowering.Elementwise("mul", converts="out_dtype"),
    exact=True,
)


def _div(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    if x.dtype.kind not in _EXACT:
        return numpy_evaluation.divide(xp, x, y) if x.dtype.kind == "c" else xp.divide(x, y)
    quotient = xp.floor_divide(x, y)
    if x.dtype.kind == "i":
        # NumPy rounds down, XLA toward zero.
        inexact = quotient * y != x
        quotient = quotient + (inexact & ((x < 0) != (y < 0))).astype(x.dtype)
    return xp.where(y == 0, ~xp.zeros_like(x), quotient)


def _div_transpose(ct: ArrayLike, x: object, y: ArrayLike) -> list[Any]:
    return [lax.div(ct, y), None]


div_p = elementwise_primitive(
    "div",
    numpy_evaluation.widened(_div),
    binary(
        lambda g, out, x, y: lax.div(g, y),
        lambda g, out, x, y: lax.mul(lax.mul(lax.neg(g), x), lax.integer_pow(y, -2)),
    ),
    transpose=_div_transpose,
    exact=True,
)


def _rem(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    remainder = xp.fmod(x, y)
    return xp.where(y == 0, x, remainder) if x.dtype.kind in _EXACT else remainder


def _rem_by_divisor(g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    quotient = lax.div(x, y)
    return lax.mul(lax.neg(g), lax.mul(lax.sign(quotient), lax.floor(lax.abs(quotient))))


rem_p = elementwise_primitive(
    "rem", numpy_evaluation.widened(_rem), binary(lambda g, out, x, y: g, _rem_by_divisor)
)


def _sign(xp: ModuleType, x: host.Array) -> Any:
    if x.dtype.kind == "c":
        return numpy_evaluation.sign(xp, x)
    # A zero keeps its sign, which NumPy drops.
    return xp.where(x == 0, x, xp.sign(x)) if x.dtype.kind == "f" else xp.sign(x)


sign_p = elementwise_primitive("sign", numpy_evaluation.widened(_sign), (None,), exact=True)

_magnitude = declared.elementwise("abs")


def _abs_abstract(x: ShapedArray) -> ShapedArray:
    if dtype_of(x).kind is Kind.INT and dtype_of(x).bits < 8:
        raise DTypeError(
            f"abs does not accept dtype {x.dtype}. Support for narrow-width integers is limited to "
            "a few operations, such as basic arithmetic and type casting",
            hint="Convert the operand with astype.",
        )
    return _magnitude(x)


def _abs_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike) -> Any:
    if is_complex(x):
        size = lax.convert_element_type(out, dtype_of(x))
        return lax.real(lax.mul(g, lax.div(lax.conj(x), without_zeros(size))))
    return lax.select(lax.ge(x, number_like(x, 0)), g, lax.neg(g))


abs_p = elementwise_primitive(
    "abs", numpy_evaluation.by("abs"), (_abs_derivative,), abstract=_abs_abstract, exact=True
)


def _square(xp: ModuleType, x: host.Array) -> Any:
    """Returns squares; of complex numbers the real part is infinite only where it overflows."""
    if x.dtype.kind != "c":
        return xp.square(x)
    a, b = x.real, x.imag
    real = xp.where((xp.abs(a) == xp.abs(b)) & xp.isfinite(a), 0, (a - b) * (a + b))
    half = a * b
    return numpy_evaluation.joined(xp, real, half + half, x.dtype)


square_p = elementwise_primitive(
    "square",
    numpy_evaluation.widened(_square),
    unary(lambda g, out, x: lax.mul(g, lax.mul(number_like(x, 2), x))),
)


def _share(x: ArrayLike, out: ArrayLike, other: ArrayLike) -> Any:
    """Returns the share of an extremum's derivative for one operand: half where both attain it."""
    one = lax.full_like(x, 1)
    mine = lax.select(lax.eq(x, out), one, zeros_like(x))
    return lax.div(mine, lax.select(lax.eq(other, out), lax.full_like(x, 2), one))


def _extremum(name: str, function: str, of_complex: Callable[[Any, Any, Any], Any]) -> Primitive:
    def evaluate(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
        return of_complex(xp, x, y) if x.dtype.kind == "c" else getattr(xp, function)(x, y)

    return elementwise_primitive(
        name,
        numpy_evaluation.widened(evaluate),
        binary(
            lambda g, out, x, y: lax.mul(g, _share(x, out, y)),
            lambda g, out, x, y: lax.mul(g, _share(y, out, x)),
        ),
    )


max_p = _extremum("max", "maximum", numpy_evaluation.greater)
min_p = _extremum("min", "minimum", numpy_evaluation.lesser)


_power = numpy_evaluation.by("power")


def _pow(xp: ModuleType, x: host.Array, y: host.Array) -> Any:
    result = _power(xp, x, y if y.dtype == x.dtype else y.astype(x.dtype))
    if x.dtype.kind == "c":
        return result
    # NumPy takes the square root where it sees that all exponents are one half, which is NaN of
    # minus infinity and -0 of -0. It stays for the others: it is rounded better than the power.
    is_edge = (y == 0.5) & ((x == 0) | xp.isinf(x))
    return xp.where(is_edge, xp.abs(x), result)


def _pow_by_base(g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    exponent = lax.convert_element_type(y, dtype_of(x))
    less = lax.pow(x, lax.sub(exponent, number_like(exponent, 1)))
    if dtype_of(y).kind in (Kind.INT, Kind.UINT):
        slope = lax.mul(without_zeros(exponent), less)
        none = lax.eq(exponent, number_like(exponent, 0))
        return lax.mul(g, lax.select(none, zeros_like(slope), slope))
    return lax.mul(g, lax.mul(exponent, less))


def _pow_by_exponent(g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    return lax.mul(g, lax.mul(lax.log(without_zeros(x)), out))


def _pow_lower(
    builder: lowering.Builder,
    position: lowering.Position,
    result: ShapedArray,
    x: lowering.Element,
    y: lowering.Element,
) -> Any:
    exponent = y(position)
    if y.dtype is not x.dtype:
        exponent = builder.operation("convert_element_type", x.dtype, exponent)
    return builder.operation("pow", dtype_of(result), x(position), exponent)


pow_p = Primitive(
    "pow",
    abstract=lax_rules.exact_power,
    evaluate=_pow,
    derivatives=(_pow_by_base, _pow_by_exponent),
    batch=batching.elementwise,
    lower=lowering.Computed(_pow_lower),
)


def _integer_pow_abstract(x: ShapedArray, *, y: int) -> ShapedArray:
    return lax_rules.exact_integer_power(lax_rules.BASES.exact(x), y)


def _integer_pow(xp: ModuleType, x: host.Array, *, y: int) -> Any:
    if y == 0:
        return xp.ones_like(x)
    if x.dtype == xp.float16:
        # Rounded once, as other small floats are.
        return _integer_pow(xp, x.astype(xp.float32), y=y).astype(x.dtype)
    result: Any = None
    power, rest = x, abs(y)
    while rest:
        if rest & 1:
            result = power if result is None else xp.multiply(result, power)
        rest >>= 1
        if rest:
            power = xp.multiply(power, power)
    return _div(xp, xp.ones_like(x), result) if y < 0 else result


def _integer_pow_derivative(g: ArrayLike, out: ArrayLike, x: ArrayLike, *, y: int) -> Any:
    if y == 0:
        return zeros_like(g)
    if y == 1:
        return g
    less = x if y == 2 else lax.integer_pow(x, y - 1)
    return lax.mul(g, lax.mul(number_like(x, y), less))


def _integer_pow_numbers(*, y: int) -> tuple[int]:
    return (y,)


integer_pow_p = Primitive(
    "integer_pow",
    abstract=_integer_pow_abstract,
    evaluate=numpy_evaluation.widened(_integer_pow),
    derivatives=(_integer_pow_derivative,),
    batch=batching.elementwise,
    lower=lowering.Elementwise("integer_pow", _integer_pow_numbers),
)


def _atan2(xp: ModuleType, y: host.Array, x: host.Array) -> Any:
    if y.dtype.kind == "c":
        return -1j * xp.log((x + 1j * y) / xp.sqrt(x * x + y * y))
    return xp.arctan2(y, x)


def _squares(x: ArrayLike, y: ArrayLike) -> Any:
    return lax.add(lax.square(x), lax.square(y))


def _atan2_by_first(g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    return lax.mul(g, lax.div(y, _squares(x, y)))


def _atan2_by_second(g: ArrayLike, out: ArrayLike, x: ArrayLike, y: ArrayLike) -> Any:
    return lax.mul(g, lax.div(lax.neg(x), _squares(x, y)))


atan2_p = Primitive(
    "atan2",
    abstract=declared.elementwise("atan2"),
    evaluate=numpy_evaluation.widened(_atan2),
    derivatives=(_atan2_by_first, _atan2_by_second),
    batch=batching.elementwise,
    lower=lowering.Elementwise("atan2"),
)
