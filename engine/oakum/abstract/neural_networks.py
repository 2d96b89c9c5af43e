"""Pieces of neural networks: halves of units, attention, sums of exponentials with a sign."""

from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import INEXACT, exact, inexact, result_type
from oakum.abstract.operands import Arguments
from oakum.abstract.reduction import log_sums
from oakum.abstract.reshaping import keeps_along, on_shape
from oakum.values import dims
from oakum.values.avals import UNKNOWN_DIM, Shape, ShapedArray
from oakum.values.records import dataclass


def glu(arguments: Arguments) -> ShapedArray:
    """`glu`: half the size along an axis.

    >>> from oakum.values.avals import parse_aval
    >>> print(glu({"x": parse_aval("f32[8,6]"), "axis": -1}))
    f32[8,3]
    """
    given, axis = exact(INEXACT).named("glu")(arguments), arguments.get("axis", -1)

    def halve(shape: Shape) -> Shape:
        if not isinstance(axis, int):
            return (UNKNOWN_DIM,) * len(shape)
        at = operands.axis(axis, len(shape))
        return (*shape[:at], dims.floordiv(shape[at], 2), *shape[at + 1 :])

    return on_shape(given, halve)


def normalised(arguments: Arguments) -> ShapedArray:
    """`softmax`, `standardize`: floats of the shape of the operand, which has the axes named.

    >>> from oakum.values.avals import parse_aval
    >>> print(normalised({"x": parse_aval("i32[8,6]"), "axis": -1}))
    f32[8,6]
    """
    given = inexact.over("x")(arguments)
    return keeps_along({"x": given, "axis": arguments.get("axis", -1)})


def attention(arguments: Arguments) -> Any:
    """`dot_product_attention`: the shape and the dtype of the query; with `return_residual` one
    number for each head of it stands beside.

    >>> x = ShapedArray((5, 2, 3), dtypes.float32)
    >>> rows, logarithms = attention({"q": x, "k": x, "v": x, "return_residual": True})
    >>> print(rows, logarithms)
    f32[5,2,3] f32[5,2]
    """
    query, _, value = (operands.array(each) for each in operands.positional(arguments, 3))
    if query.shape is None or value.shape is None or not value.shape:
        averaged, residual = query.update(shape=None), query.update(shape=None)
    else:
        averaged = query.update(shape=(*query.shape[:-1], value.shape[-1]))
        residual = query.update(shape=query.shape[:-1])

    def result(both: bool) -> Any:
        return (averaged, residual) if both else averaged

    return operands.complete(operands.flags(arguments.get("return_residual", False)), result)


def signed_log_sum(arguments: Arguments) -> Any:
    """`logsumexp`: with `return_sign` the sign stands beside the logarithm of what is real then.

    >>> x = ShapedArray((3,), dtypes.complex64)
    >>> total, sign = signed_log_sum({"a": x, "axis": None, "return_sign": True})
    >>> print(total, sign)
    f32[] c64[]
    """
    scalar = operands.operand(arguments).shape == ()
    # JAX reduces a scalar along whatever axis is named.
    total = log_sums({**arguments, "axis": None} if scalar else arguments)

    def result(signed: bool) -> Any:
        return (total.update(dtype=dtypes.to_real(total.dtype)), total) if signed else total

    return operands.complete(operands.flags(arguments.get("return_sign", False)), result)


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
