"""Functions whose results follow no family."""

from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import Elementwise, result_type
from oakum.abstract.lax_elementwise import common_shape
from oakum.abstract.operands import Arguments
from oakum.abstract.reduction import reduced_shape
from oakum.values.avals import UNKNOWN, PythonScalar, ShapedArray
from oakum.values.declarations import AbstractRule
from oakum.values.records import dataclass


def copied(arguments: Arguments) -> ShapedArray:
    """`copy`: the array of the first argument.

    >>> print(copied({"a": 2.0}))
    ~f32[]
    """
    return operands.operand(arguments)


def staged(arguments: Arguments) -> Any:
    """`stop_gradient`: the first argument, a tree; numbers may become arrays.

    >>> staged({"x": 2.0})
    UNKNOWN
    """
    value = next(iter(arguments.values()))
    return UNKNOWN if isinstance(value, (bool, int, float, complex, PythonScalar)) else value


def bit_count(arguments: Arguments) -> ShapedArray:
    """`bitwise_count`: small unsigned integers."""
    return ShapedArray(operands.operand(arguments).shape, dtypes.uint8)


def scaled(arguments: Arguments) -> ShapedArray:
    """`ldexp`: the float type of the first operand, in the shape of both."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 2)]
    dtype, _ = result_type(arrays[:1], "inexact")
    return ShapedArray(operands.broadcast_shapes(arrays), dtype, None)


def interpolated(arguments: Arguments) -> ShapedArray:
    """`interp`: the shape of the points asked for, the type of all operands."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 3)]
    dtype, _ = result_type(arrays, "inexact")
    return ShapedArray(arrays[0].shape, dtype, None)


def polynomial(arguments: Arguments) -> ShapedArray:
    """`polyval`: the shape of the points and of the coefficients behind their leading axis."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 2)]
    dtype, _ = result_type(arrays, "same")
    coefficients, points = arrays
    if not coefficients.shape:
        return ShapedArray(None, dtype, None)
    rows = [ShapedArray(coefficients.shape[1:], None), points]
    return ShapedArray(operands.broadcast_shapes(rows), dtype, None)


def strong(arguments: Arguments) -> ShapedArray:
    """`spacing`, `gelu`: the float type of the operand, never weak."""
    return Elementwise("inexact", weak=False)(arguments)


def arithmetic(arguments: Arguments) -> ShapedArray:
    """`mod`, `floor_divide`, `power`: the promoted type, and integers for booleans.

    >>> from oakum.values.avals import parse_aval
    >>> print(arithmetic({"x1": parse_aval("bool[3]"), "x2": True}))
    i32[3]
    """
    arrays = [operands.array(each) for each in operands.positional(arguments, 2)]
    dtype, weak_type = result_type(arrays, "same")
    if dtype is dtypes.bool_:
        dtype = dtypes.canonicalize(dtypes.int64)
    if any(each.dtype is dtypes.bool_ for each in arrays):
        weak_type = None
    return ShapedArray(operands.broadcast_shapes(arrays), dtype, weak_type)


def raised(arguments: Arguments) -> ShapedArray:
    """`power`: as `arithmetic`; whether the result is weakly typed depends on the exponent."""
    return arithmetic(arguments).update(weak_type=None)


def shifted(arguments: Arguments) -> ShapedArray:
    """`left_shift`, `right_shift`: integers, also of booleans.

    >>> from oakum.values.avals import parse_aval
    >>> print(shifted({"x": parse_aval("bool[3]"), "y": 1}))
    i32[3]
    """
    Elementwise("integer", ("x", "y") if "x" in arguments else ("x1", "x2"))(arguments)
    return arithmetic(arguments)


def loosely(*names: str) -> AbstractRule:
    """A float of these operands, of which the weak type is not certain: `rint`, `squareplus`."""
    rule = Elementwise("inexact", names)

    def loose(arguments: Arguments) -> ShapedArray:
        return rule(arguments).update(weak_type=None)

    return loose


def power(arguments: Arguments) -> ShapedArray:
    """`lax.pow`: the type of the base, in the shape of both."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 2)]
    return arrays[0].update(shape=common_shape(arrays), weak_type=None)


def reshaped(arguments: Arguments) -> ShapedArray:
    """`lax.reshape`: the shape asked for; tracing does not look at the number of elements."""
    given, shape = operands.operand(arguments), operands.shape(arguments["new_sizes"])
    if shape is None or any(isinstance(size, int) and size < 0 for size in shape):
        return given.update(shape=None, weak_type=None)
    return given.update(shape=shape, weak_type=None)


def broadcast_like(arguments: Arguments) -> ShapedArray:
    """`broadcast_like`: the type of the first operand, the shape of the second."""
    given, like = (operands.array(each) for each in operands.positional(arguments, 2))
    return given.update(shape=like.shape)


def to_rank(arguments: Arguments) -> ShapedArray:
    """`broadcast_to_rank`: leading axes of length one."""
    given, rank = operands.operand(arguments), operands.integer(arguments["rank"])
    if given.shape is None or rank is None or rank > 64:  # No array has more dimensions.
        return given.update(shape=None)
    return given.update(shape=(1,) * (rank - len(given.shape)) + given.shape)


def complex_of(arguments: Arguments) -> ShapedArray:
    """`lax.complex`, `lax.conj`: the complex type of the operands."""
    arrays = [operands.array(each) for each in arguments.values() if each is not None]
    dtype, _ = result_type(arrays, "same")
    return ShapedArray(common_shape(arrays), dtypes.to_complex(dtype), None)


def integrated(arguments: Arguments) -> ShapedArray:
    """`trapezoid`: an axis disappears."""
    given, points = operands.positional(arguments, 2)
    if points is not None:
        return ShapedArray(None, None, None)
    array = operands.array(given)
    dtype, _ = result_type([array, operands.array(arguments["dx"])], "inexact")
    return ShapedArray(reduced_shape(array, arguments.get("axis", -1)), dtype, None)


def average(arguments: Arguments) -> Any:
    """`average`: a mean of the types of array and weights, with the sum of weights if asked for.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"a": parse_aval("i32[2,3]"), "axis": 0, "weights": None, "returned": False}
    >>> print(average(given))
    f32[3]
    """
    given = operands.operand(arguments)
    weights = arguments.get("weights")
    typed = [given] if weights is None else [given, operands.array(weights)]
    dtype, _ = result_type(typed, "inexact")
    shape = reduced_shape(given, arguments.get("axis"), arguments.get("keepdims", False))
    mean = ShapedArray(shape, dtype, None)

    def result(both: bool) -> Any:
        return (mean, mean) if both else mean

    return operands.complete(operands.flags(arguments.get("returned", False)), result)


def piecewise(arguments: Arguments) -> ShapedArray:
    """`piecewise`: the type of the first operand, and its shape unless it is a scalar."""
    given = operands.operand(arguments)
    return given.update(shape=given.shape or None, weak_type=False)


@dataclass(frozen=True, slots=True)
class Activation:
    """The rule of a function that computes with an integer or float constant, as `relu6` does.

    >>> from oakum.values.avals import parse_aval
    >>> print(with_float({"x": parse_aval("i32[3]")}), rectified({"x": parse_aval("bool[3]")}))
    ~f32[3] ~i32[3]
    """

    constant: int | float
    inexact: bool

    def __call__(self, arguments: Arguments) -> ShapedArray:
        given = operands.operand(arguments)
        arrays = [given, operands.array(self.constant)]
        dtype, weak_type = result_type(arrays, "inexact" if self.inexact else "same")
        return ShapedArray(given.shape, dtype, weak_type)


rectified = Activation(0, inexact=False)
"""`relu`, `hard_tanh`: booleans become integers."""

with_float = Activation(0.0, inexact=False)
"""`relu6`, `selu`: booleans and integers become weak floats."""

with_integer = Activation(0, inexact=True)
"""`softplus`, `mish`: booleans become weak floats, integers floats."""
