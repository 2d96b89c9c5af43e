"""Reductions: axes of the first operand disappear or become 1, and the dtype follows the family.

Options by name: `axis` (or `axes`), `keepdims`, `dtype`, `where`, `initial`, `promote_integers`.
"""

from collections.abc import Callable
from typing import Any, Final

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import result_type
from oakum.abstract.operands import Arguments
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError
from oakum.values.avals import ANY_ARRAY, UNKNOWN_DIM, Shape, ShapedArray
from oakum.values.records import dataclass


def reduced_shape(aval: ShapedArray, axis: Any, keepdims: Any = False) -> Shape | None:
    """The shape after a reduction over `axis`; a `ShapeError` when there is no such axis.

    >>> from oakum.values.avals import UNKNOWN, parse_aval
    >>> reduced_shape(parse_aval("f32[2,3,4]"), (0, -1))
    (3,)
    >>> reduced_shape(parse_aval("f32[2,3]"), 1, True)
    (2, 1)
    >>> reduced_shape(parse_aval("f32[2,3]"), UNKNOWN) is None
    True
    """
    result: ShapedArray = operands.complete(
        operands.flags(keepdims),
        lambda keep: ShapedArray(_reduced(aval.shape, axis, keep), None, None),
    )
    return result.shape


def _reduced(shape: Shape | None, axis: Any, keepdims: bool) -> Shape | None:
    if shape is None:
        return () if axis is None and not keepdims else None
    choices = operands.axis_choices(axis, len(shape))
    if choices is None:
        return tuple(1 if size == 1 else UNKNOWN_DIM for size in shape) if keepdims else None

    def one(choice: Any) -> ShapedArray:
        gone = set(operands.axes(choice, len(shape)))
        sizes = enumerate(shape)
        if keepdims:
            return ShapedArray(tuple(1 if i in gone else n for i, n in sizes), None)
        return ShapedArray(tuple(n for i, n in sizes if i not in gone), None)

    result: ShapedArray = operands.complete(choices, one)
    return result.shape


Widen = Callable[[DType | None, Arguments], DType | None]
"""The dtype of the result when none is asked for."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """The rule of a reduction.

    >>> from oakum.values.avals import parse_aval
    >>> print(sums({"a": parse_aval("bool[8,3]"), "axis": 0, "dtype": None, "keepdims": False}))
    i32[3]
    """

    widen: Widen

    def __call__(self, arguments: Arguments) -> ShapedArray:
        given = operands.operand(arguments)
        operands.reject_keys([given], "a reduction")
        axis = arguments["axis"] if "axis" in arguments else arguments.get("axes")
        shape = reduced_shape(given, axis, arguments.get("keepdims", False))
        default = self.widen(given.dtype, arguments)
        dtype, _ = operands.dtype_option(arguments.get("dtype"), (default, False))
        return ShapedArray(shape, dtype, weak_type=False)


def widen_integers(dtype: DType | None) -> DType | None:
    """The dtype that a sum accumulates in: booleans and integers in the default width or more.

    >>> widen_integers(dtypes.bool_), widen_integers(dtypes.uint8), widen_integers(dtypes.float16)
    (dtype(int32), dtype(uint32), dtype(float16))
    """
    match dtype:
        case None:
            return None
        case DType(kind=Kind.BOOL | Kind.INT):
            wide = dtypes.int64
        case DType(kind=Kind.UINT):
            wide = dtypes.uint64
        case _:
            return dtype
    if dtype.kind is not Kind.BOOL and dtype.bits < 8:
        raise DTypeError(f"integers of {dtype.bits} bits cannot be summed")
    return dtypes.canonicalize(wide)


def _widen_as_asked(dtype: DType | None, arguments: Arguments) -> DType | None:
    wide = widen_integers(dtype)
    match arguments.get("promote_integers", True):
        case bool(asked):
            narrow = dtypes.canonicalize(dtypes.int64) if dtype is dtypes.bool_ else dtype
            return wide if asked else narrow
        case _:
            return wide if wide is dtype else None


def _index(_dtype: DType | None, _arguments: Arguments) -> DType | None:
    return dtypes.canonicalize(dtypes.int64)


def _ordered_inexact(dtype: DType | None, _arguments: Arguments) -> DType | None:
    if operands.of_kind(dtype, Kind.COMPLEX):
        raise DTypeError(f"{dtype} numbers have no order, which this function needs")
    return dtypes.to_inexact(dtype)


sums: Final = Reduction(_widen_as_asked)
"""`sum`, `prod`, `nansum`: integers widen to the default width, booleans become integers."""

means: Final = Reduction(lambda dtype, _: dtypes.to_inexact(dtype))
"""`mean`, `nanmean`, `logsumexp`: integers become floats."""

log_sums: Final = means
"""`logsumexp`."""

deviations: Final = Reduction(lambda dtype, _: dtypes.to_real(dtypes.to_inexact(dtype)))
"""`var`, `std`: as `means`, and of complex numbers the result is real."""

extrema: Final = Reduction(lambda dtype, _: dtype)
"""`max`, `min`, `ptp`: the dtype of the operand."""

tests: Final = Reduction(lambda _, __: dtypes.bool_)
"""`any`, `all`: bool."""

positions: Final = Reduction(_index)
"""`argmax`, `argmin`: the default integer type."""

counts: Final = Reduction(_index)
"""`count_nonzero`: the default integer type."""


def medians(arguments: Arguments) -> ShapedArray:
    """`median`, `nanmedian`: inexact, without complex numbers."""
    given = operands.operand(arguments)
    return ShapedArray(
        _flattened_scalar(given, arguments), _quantile_dtype(given, arguments), weak_type=False
    )


def quantiles(arguments: Arguments) -> ShapedArray:
    """`quantile`, `percentile`: as `medians`, and the axes of `q` come first.

    >>> from oakum.values.avals import parse_aval
    >>> print(quantiles({"a": parse_aval("f32[8,3]"), "q": parse_aval("f32[2]"), "axis": 0}))
    f32[2,3]
    """
    given, at = (operands.array(value) for value in operands.positional(arguments, 2))
    rest = _flattened_scalar(given, arguments)
    shape = None if at.shape is None or rest is None else at.shape + rest
    return ShapedArray(shape, _quantile_dtype(given, arguments), weak_type=False)


def _quantile_dtype(given: ShapedArray, arguments: Arguments) -> DType | None:
    dtype = _ordered_inexact(given.dtype, arguments)
    # Of weakly typed operands JAX gives the default float, which x64 widens.
    certain = given.weak_type is False or dtypes.x64_enabled() is False
    return dtype if certain else None


def _flattened_scalar(given: ShapedArray, arguments: Arguments) -> Shape | None:
    """The reduced shape, where a scalar without an axis counts as a vector of one element."""
    axis, keepdims = arguments.get("axis"), arguments.get("keepdims", False)
    if given.shape == () and axis in (None, ()):
        return (1,) if keepdims is True else () if keepdims is False else None
    if given.shape == () and not isinstance(axis, int):
        return None if True in operands.flags(keepdims) else ()
    return reduced_shape(given, axis, keepdims)


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


def reduce_axes(arguments: Arguments) -> ShapedArray:
    """`reduce_sum`, `reduce_max`: the axes given disappear, the dtype stays.

    >>> from oakum.values.avals import parse_aval
    >>> print(reduce_axes({"operand": parse_aval("f32[8,3]"), "axes": (0,)}))
    f32[3]
    """
    given = operands.operand(arguments)
    shape = reduced_shape(given, arguments["axes"])
    return operands.loosely_typed(given.update(shape=shape))


def reduce(arguments: Arguments) -> Any:
    """`reduce`: the dimensions given disappear from each operand."""
    given, dimensions = operands.operand(arguments), arguments["dimensions"]
    if not isinstance(next(iter(arguments.values())), ShapedArray):
        return ANY_ARRAY
    return operands.loosely_typed(given.update(shape=reduced_shape(given, dimensions)))


def position(arguments: Arguments) -> ShapedArray:
    """`lax.argmax`, `lax.argmin`: positions along an axis, of the dtype asked for."""
    given = operands.operand(arguments)
    typing = operands.dtype_option(arguments["index_dtype"], (dtypes.int32, False))
    return ShapedArray(reduced_shape(given, arguments["axis"]), *typing)


def segments(arguments: Arguments) -> ShapedArray:
    """`segment_sum`: as many rows as there are segments.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"data": parse_aval("f32[8,3]"), "segment_ids": parse_aval("i32[8]")}
    >>> print(reduced({**given, "num_segments": 4}))
    f32[4,3]
    """
    data, ids = (operands.array(each) for each in operands.positional(arguments, 2))
    count = arguments.get("num_segments")
    size = UNKNOWN_DIM if count is None else operands.dim(count)
    if data.shape is None or ids.ndim is None:
        return ShapedArray(None, data.dtype, None)
    return ShapedArray((size, *data.shape[ids.ndim :]), data.dtype, None)
