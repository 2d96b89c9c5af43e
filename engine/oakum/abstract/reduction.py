"""Reductions: axes of the first operand disappear or become 1, and the dtype follows the family.
Running reductions: the operand's shape, flattened when there is no axis.

Options by name: `axis` (or `axes`), `keepdims`, `dtype`, `where`, `initial`, `promote_integers`.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import (
    ANYTHING,
    BITS,
    INTEGERS,
    ORDERED,
    Groups,
    check,
    refused,
    result_type,
    takes,
)
from oakum.abstract.operands import Arguments
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims
from oakum.values.avals import ANY_ARRAY, UNKNOWN_DIM, Dim, Shape, ShapedArray
from oakum.values.records import dataclass, replace


def reduced_shape(aval: ShapedArray, axis: object, keepdims: object = False) -> Shape | None:
    """Returns the shape after a reduction over `axis`; a `ShapeError` when there is no such axis.

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
        lambda keep: ShapedArray(_reduce_shape(aval.shape, axis, keep), None, None),
    )
    return result.shape


def _reduce_shape(shape: Shape | None, axis: object, keepdims: bool) -> Shape | None:
    if shape is None:
        return () if axis is None and not keepdims else None
    choices = operands.axis_choices(axis, len(shape))
    if choices is None:
        return tuple(1 if size == 1 else UNKNOWN_DIM for size in shape) if keepdims else None

    def one(choice: object) -> ShapedArray:
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
    name: str = "reduction"

    def declared(self, name: str, signature: inspect.Signature) -> "Reduction":
        """Returns this rule with the name of a public function."""
        return replace(self, name=name.rpartition(".")[2])

    def __call__(self, arguments: Arguments) -> ShapedArray:
        given = operands.operand(arguments)
        check(self.name, given, ANYTHING)
        check_where(self.name, given, arguments.get("where"))
        axis = arguments["axis"] if "axis" in arguments else arguments.get("axes")
        shape = reduced_shape(given, axis, arguments.get("keepdims", False))
        asked = arguments.get("dtype")
        default = self.widen(given.dtype, arguments) if asked is None else None
        dtype, _ = operands.dtype_option(asked, (default, False))
        return ShapedArray(shape, dtype, weak_type=False)


def check_where(name: str, given: ShapedArray, where: object) -> None:
    """Raises a coded error for a `where` that certainly holds no booleans, or does not broadcast to
    what is reduced.
    """
    mask = None if where is None else operands.array(where)
    if mask is None:
        return
    if not takes(mask.dtype, ("bool",)):
        raise DTypeError(
            f"jnp.{name}: where must be None or a boolean array; got where.dtype={mask.dtype}",
            hint="Compare the mask with a number.",
        )
    operands.broadcast_shapes([given, mask])


def widen_integers(dtype: DType | None) -> DType | None:
    """Returns the dtype of a sum: booleans and integers in the default width or more.

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


def _accumulation_dtype(dtype: DType | None, arguments: Arguments) -> DType | None:
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


sums: Final = Reduction(_accumulation_dtype)
"""`sum`, `prod`, `nansum`: integers widen to the default width, booleans become integers."""

means: Final = Reduction(lambda dtype, _: dtypes.to_inexact(dtype))
"""`mean`, `nanmean`, `logsumexp`: integers become floats."""

log_sums: Final = replace(means, name="logsumexp")
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
    """Returns the reduced shape; a scalar without an axis counts as a vector of one element."""
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


def _check_weights(shape: Shape, weights: Shape | None, axis: object) -> None:
    """Weights have the shape of the array, or the size of its one axis."""
    if weights is None or operands.same_shape(shape, weights) is not False:
        return
    if isinstance(axis, int) and len(weights) == 1:
        size = shape[operands.axis(axis, len(shape))]
        if dims.equal(size, weights[0]) is not False:
            return
    elif axis is not None:
        return
    raise ShapeError(
        "Shape of weights must be consistent with shape of a along specified axis",
        detail=f"Got weights of {operands.shape_text(weights)} for {operands.shape_text(shape)}",
        hint="Give a weight for each element, or for each position along the one axis.",
    )


def average(arguments: Arguments) -> Any:
    """`average`: a mean of the types of array and weights, with the sum of weights if asked for.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"a": parse_aval("i32[2,3]"), "axis": 0, "weights": None, "returned": False}
    >>> print(average(given))
    f32[3]
    """
    given = operands.operand(arguments)
    weights, axis = arguments.get("weights"), arguments.get("axis")
    if weights is not None and given.shape is not None:
        _check_weights(given.shape, operands.array(weights).shape, axis)
    typed = [given] if weights is None else [given, operands.array(weights)]
    dtype, _ = result_type(typed, "inexact")
    shape = reduced_shape(given, arguments.get("axis"), arguments.get("keepdims", False))
    mean = ShapedArray(shape, dtype, None)

    def result(both: bool) -> Any:
        return (mean, mean) if both else mean

    return operands.complete(operands.flags(arguments.get("returned", False)), result)


def _listed(axes: object) -> Sequence[Any] | None:
    """Returns the axes of a primitive or of a call; None where they are not known."""
    return cast("tuple[Any, ...]", axes) if isinstance(axes, tuple) else operands.items(axes)


@dataclass(frozen=True, slots=True)
class AxesReduction:
    """The rule of a reduction of `jax.lax`: the axes given disappear, the dtype stays.

    >>> from oakum.values.avals import parse_aval
    >>> print(reduced_numbers({"operand": parse_aval("f32[8,3]"), "axes": (0,)}))
    f32[3]
    """

    accepts: Groups
    name: str = "reduce"

    def declared(self, name: str, signature: inspect.Signature) -> "AxesReduction":
        """Returns this rule with the name of a public function."""
        return replace(self, name=name.rpartition(".")[2])

    def __call__(self, arguments: Arguments) -> ShapedArray:
        given, axes = operands.operand(arguments), arguments["axes"]
        return operands.loosely_typed(self.exact(given, axes))

    def exact(self, operand: ShapedArray, axes: object) -> ShapedArray:
        """Returns the result of the primitive, which neither promotes nor takes negative axes."""
        if not takes(operand.dtype, self.accepts):
            if self.accepts is BITS:
                raise DTypeError(
                    f"logical reduction requires operand dtype bool or int, got {operand.dtype}",
                    hint="Compare the operand first, or convert it with astype.",
                )
            raise refused(self.name, operand.dtype, self.accepts)
        known = _listed(axes)
        if known is None or not all(isinstance(axis, int) for axis in known):
            return operand.update(shape=reduced_shape(operand, axes))
        if len(known) != len(set(known)):
            raise ShapeError(
                f"duplicate value in 'axes' of reduction: {tuple(known)}",
                hint="Name each axis once.",
            )
        rank = operand.ndim
        if rank is not None and not all(0 <= axis < rank for axis in known):
            raise ShapeError(
                f"reduction axes {tuple(known)} contains out-of-bounds indices for {operand}",
                hint=f"Give axes from 0 to {rank - 1}." if rank else "A scalar has no axes.",
            )
        if operand.shape is None:
            return operand.update(shape=reduced_shape(operand, tuple(known)))
        kept = (size for axis, size in enumerate(operand.shape) if axis not in known)
        return operand.update(shape=tuple(kept))


reduced_numbers: Final = AxesReduction(("number",))
"""`reduce_sum`, `reduce_prod`: of numbers."""

reduced_any: Final = AxesReduction(ANYTHING)
"""`reduce_max`, `reduce_min`: of all that has an order."""

reduced_bits: Final = AxesReduction(BITS)
"""`reduce_and`, `reduce_or`, `reduce_xor`: of integers and booleans."""


def reduce(arguments: Arguments) -> Any:
    """`reduce`: the dimensions given disappear from each operand."""
    given, dimensions = operands.operand(arguments), arguments["dimensions"]
    if not isinstance(next(iter(arguments.values())), ShapedArray):
        return ANY_ARRAY
    return operands.loosely_typed(given.update(shape=reduced_shape(given, dimensions)))


def position(arguments: Arguments) -> ShapedArray:
    """`lax.argmax`, `lax.argmin`: positions along an axis, of the dtype asked for."""
    given = operands.operand(arguments)
    dtype, _ = operands.dtype_option(arguments["index_dtype"], (dtypes.int32, False))
    axis = arguments["axis"]
    if isinstance(axis, int) and given.ndim is not None and -given.ndim <= axis < given.ndim:
        axis %= given.ndim
    return exact_position(given, axis, dtype)


def exact_position(operand: ShapedArray, axis: object, index_dtype: DType | None) -> ShapedArray:
    """Returns the result of the primitives `argmax` and `argmin`; the axis is not negative."""
    shape = operand.shape
    if isinstance(axis, int) and shape is not None:
        if not 0 <= axis < len(shape):
            raise ShapeError(
                f"Invalid axis {axis} for operand shape {operands.shape_text(shape)}",
                hint=f"Give an axis from 0 to {len(shape) - 1}." if shape else "A scalar has none.",
            )
        if dims.equal(shape[axis], 0):
            raise ShapeError(
                "argmin and argmax require non-empty reduced dimension",
                detail=f"Got operand.shape={operands.shape_text(shape)} axis={axis}",
                hint="Reduce along an axis that has elements.",
            )
    if not takes(index_dtype, INTEGERS):
        raise DTypeError(
            f"index_dtype must be an integer type, but got {index_dtype}",
            hint=f"Give {dtypes.int32}.",
        )
    if not takes(operand.dtype, ORDERED):
        raise DTypeError(
            f"argmin and argmax need elements that have an order, and {operand.dtype} has none",
            hint="Take the position of the absolute values.",
        )
    return ShapedArray(reduced_shape(operand, axis), index_dtype)


def segments(arguments: Arguments) -> ShapedArray:
    """`segment_sum`: as many rows as there are segments.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"data": parse_aval("f32[8,3]"), "segment_ids": parse_aval("i32[8]")}
    >>> print(segments({**given, "num_segments": 4}))
    f32[4,3]
    """
    data, ids = (operands.array(each) for each in operands.positional(arguments, 2))
    count = arguments.get("num_segments")
    size = UNKNOWN_DIM if count is None else operands.dim(count)
    if data.shape is None or ids.ndim is None:
        return ShapedArray(None, data.dtype, None)
    return ShapedArray((size, *data.shape[ids.ndim :]), data.dtype, None)


def cumulative(arguments: Arguments) -> ShapedArray:
    """`cumsum`, `cumprod`: the dtype of the operand, and integers for booleans.

    >>> from oakum.values.avals import parse_aval
    >>> print(cumulative({"a": parse_aval("bool[2,3]"), "axis": None, "dtype": None}))
    i32[6]
    """
    given = operands.operand(arguments)
    default = dtypes.canonicalize(dtypes.int64) if given.dtype is dtypes.bool_ else given.dtype
    return _scan(arguments, default)


def cumulative_widened(arguments: Arguments) -> ShapedArray:
    """`cumulative_sum`: integers widen as in a sum, and a start can be added."""
    return _with_start(arguments, widen_integers(operands.operand(arguments).dtype))


def cumulative_products(arguments: Arguments) -> ShapedArray:
    """`cumulative_prod`: the dtype of `cumprod`, and a start can be added."""
    return _with_start(arguments, cumulative(arguments).dtype)


def _with_start(arguments: Arguments, default: DType | None) -> ShapedArray:
    given = operands.operand(arguments)
    axis = arguments.get("axis")
    if axis is None and given.ndim is not None and given.ndim != 1:
        if not given.ndim:
            raise ShapeError(
                "The input must be non-scalar to take a cumulative sum or product, and it is "
                f"{given}",
                hint="Make it an array of one element with jnp.atleast_1d.",
            )
        raise ShapeError(
            f"The input array has rank {given.ndim}, however axis was not set",
            hint="Choose the axis to sum along: axis=0.",
        )
    at = 0 if axis is None else axis
    result = _scan({**arguments, "axis": at}, default)

    def lengthen(longer: bool) -> ShapedArray:
        if not longer or result.shape is None:
            return result
        if not isinstance(at, int):
            return result.update(shape=(UNKNOWN_DIM,) * len(result.shape))
        sizes: list[Dim] = list(result.shape)
        place = operands.axis(at, len(sizes))
        sizes[place] = dims.add(sizes[place], 1)
        return result.update(shape=tuple(sizes))

    final: ShapedArray = operands.complete(
        operands.flags(arguments.get("include_initial", False)), lengthen
    )
    return final


def _scan(arguments: Arguments, default: DType | None) -> ShapedArray:
    given = operands.operand(arguments)
    operands.reject_keys([given], "a cumulative function")
    dtype, _ = operands.dtype_option(arguments.get("dtype"), (default, False))
    axis = arguments.get("axis")
    shape: Shape | None = given.shape
    if axis is None:
        shape = (given.size,)
    elif operands.integer(axis) is None:
        shape = given.shape if given.ndim == 1 else None
    elif shape is not None:
        operands.axis(int(axis), len(shape))
    return ShapedArray(shape, dtype, weak_type=False)


@dataclass(frozen=True, slots=True)
class AxisScan:
    """The rule of a running reduction of `jax.lax`: the operand, along an axis that it has."""

    accepts: Groups
    name: str = "cumulative"

    def declared(self, name: str, signature: inspect.Signature) -> "AxisScan":
        """Returns this rule with the name of a public function."""
        return replace(self, name=name.rpartition(".")[2])

    def __call__(self, arguments: Arguments) -> ShapedArray:
        return self.exact(operands.operand(arguments), arguments["axis"])

    def exact(self, operand: ShapedArray, axis: object) -> ShapedArray:
        """Returns the result of the primitive, which neither promotes nor takes a negative axis."""
        if isinstance(axis, int):
            if axis < 0:
                raise ShapeError(
                    "XLA operations do not allow negative axes",
                    hint="Count the axis from the front.",
                )
            if operand.ndim is not None and axis >= operand.ndim:
                raise ShapeError(
                    f"axis {axis} is out of bounds for array of shape "
                    f"{operands.shape_text(operand.shape)}",
                    hint="Give an axis that the array has.",
                )
        if not takes(operand.dtype, self.accepts):
            raise refused(self.name, operand.dtype, self.accepts)
        return operand.update()


running_numbers: Final = AxisScan(("number",))
"""`cumsum`, `cumprod`, `cummax`, `cummin`: of numbers."""
