"""Indexing: NumPy's basic and advanced indexing over indices that are partly known.

An index is an abstract value: an integer, a slice, None, Ellipsis, an array of integers or
booleans, a list, or a tuple of them. An index that is `UNKNOWN` may be any of these.
"""

from collections.abc import Sequence
from types import EllipsisType
from typing import Any, cast

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.creation import check_shape, data
from oakum.abstract.operands import Arguments
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims
from oakum.values.avals import (
    UNKNOWN,
    UNKNOWN_DIM,
    Dim,
    PythonScalar,
    Shape,
    ShapedArray,
    rank_of,
    scalar_kind,
    with_rank,
)
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class _Array:
    """An advanced index: an array of positions, or of `consumes` dimensions by a mask."""

    shape: Shape
    consumes: int = 1
    mask: Shape = ()
    """The sizes that the dimensions have which a mask consumes."""


_Item = int | PythonScalar | slice | None | _Array
"""One normalised element of an index; a `PythonScalar` is an integer that is not known."""


def index_shape(aval: ShapedArray, index: object) -> Shape | None:
    """Returns the shape of `aval[index]`; None when it is not known.

    >>> from oakum.values.avals import UNKNOWN, parse_aval
    >>> x = parse_aval("f32[8,3,5]")
    >>> index_shape(x, (0, slice(None, -1), None)), index_shape(x, (Ellipsis, 0))
    ((2, 1, 5), (8, 3))
    >>> index_shape(x, (parse_aval("i32[4]"), slice(None), 0)), index_shape(x, UNKNOWN)
    ((4, 3), None)
    """
    several = operands.items(index)
    elements = [index] if several is None or type(index) is not tuple else several
    if aval.shape is None:
        return None
    items: list[_Item] = []
    ellipsis: int | None = None
    for element in elements:
        if element is Ellipsis:
            if ellipsis is not None:
                raise ShapeError("an index can have only one ellipsis (...)")
            ellipsis = len(items)
            continue
        item = _normalise(element)
        if item is None:
            return None
        items.append(item[0])
    consumed = sum(map(_count_axes, items))
    missing = len(aval.shape) - consumed
    if missing < 0:
        raise ShapeError(
            f"Too many indices: array is {len(aval.shape)}-dimensional, "
            f"but {consumed} were indexed",
            hint="Index at most as many dimensions as the array has.",
        )
    place = len(items) if ellipsis is None else ellipsis
    items[place:place] = [slice(None)] * missing
    return _result(aval.shape, items)


def _normalise(element: object) -> tuple[_Item] | None:
    """Returns the normalised element in a tuple of one; None when it can be of several forms."""
    match element:
        case None:
            return (None,)
        case slice():
            return (cast("_Item", element),)
        case bool():
            return None
        case int():
            return (element,)
        case PythonScalar(kind="int"):
            return (element,)
        case ShapedArray():
            return _normalise_array(element)
        case list() | tuple():
            return _normalise_array(data(element))  # pyright: ignore[reportUnknownArgumentType]
        case _ if scalar_kind(element) == "str":
            text = repr(element) if isinstance(element, str) else "a string"
            raise DTypeError(
                f"JAX does not support string indexing; got idx={text}",
                hint="Index with integers, slices or arrays.",
            )
        case _ if scalar_kind(element) in ("float", "complex"):
            raise _not_integer(operands.array(element))
        case _:
            return None


def _normalise_array(index: ShapedArray) -> tuple[_Item] | None:
    if operands.of_kind(index.dtype, Kind.FLOAT, Kind.COMPLEX, Kind.KEY):
        raise _not_integer(index)
    if index.shape is None:
        return None
    if operands.of_kind(index.dtype, Kind.BOOL):
        return (_Array((UNKNOWN_DIM,), len(index.shape), index.shape),) if index.shape else None
    if index.dtype is None and index.shape:
        return (_Array((UNKNOWN_DIM,)),) if len(index.shape) == 1 else None
    return (_Array(index.shape),) if index.shape else (PythonScalar("int"),)


def _not_integer(index: ShapedArray) -> DTypeError:
    return DTypeError(
        f"Indexer must have integer or boolean type, got indexer with type {index.dtype}",
        hint="Convert the index with astype(int).",
    )


def _count_axes(item: _Item) -> int:
    if item is None:
        return 0
    return item.consumes if isinstance(item, _Array) else 1


def _result(shape: Shape, items: Sequence[_Item]) -> Shape | None:
    advanced = any(isinstance(item, _Array) for item in items)
    result: list[Dim] = []
    arrays: list[ShapedArray] = []
    places: list[int] = []
    start: int | None = None
    position = 0
    for i, item in enumerate(items):
        if item is None:
            result.append(1)
        elif isinstance(item, slice):
            result.append(slice_length(shape[position], item))
        elif advanced:
            start = len(result) if start is None else start
            places.append(i)
            picked = item.shape if isinstance(item, _Array) else ()
            arrays.append(ShapedArray(picked, dtypes.int32))
        if isinstance(item, _Array):
            _check_mask(item.mask, shape[position : position + item.consumes])
        position += _count_axes(item)
    if not advanced or start is None:
        return tuple(result)
    try:
        picked_shape = operands.broadcast_shapes(arrays)
    except operands.ShapeError as error:
        raise ShapeError(error.message, hint=error.hint) from error
    # Arrays side by side put their dimensions in their place, arrays apart put them first.
    beside = places[-1] - places[0] == len(places) - 1
    at = start if beside else 0
    return None if picked_shape is None else (*result[:at], *picked_shape, *result[at:])


def _check_mask(mask: Shape, sizes: Shape) -> None:
    if any(dims.equal(*pair) is False for pair in zip(mask, sizes, strict=False)):
        raise ShapeError(
            "boolean index did not match shape of indexed array",
            detail=f"Got {operands.shape_text(mask)}, expected {operands.shape_text(sizes)}",
            hint="Make the mask of the shape of what it selects from.",
        )


def slice_length(size: Dim, bounds: slice) -> Dim:
    """Returns the number of positions that a slice takes of a dimension.

    >>> slice_length(8, slice(2, -1)), slice_length(UNKNOWN_DIM, slice(0))
    (5, 0)
    >>> str(slice_length(dims.symbol("n"), slice(None, None, -1)))
    'n'
    """
    start, stop, step = (
        _read_bound(bounds.start),
        _read_bound(bounds.stop),
        _read_bound(bounds.step),
    )
    if step == 0:
        raise ShapeError("the step of a slice is zero")
    known = all(bound is None or isinstance(bound, int) for bound in (start, stop, step))
    if not known:
        return 0 if size == 0 else UNKNOWN_DIM
    if isinstance(size, int):
        return len(range(*slice(start, stop, step).indices(size)))
    if step in (None, 1, -1) and start in (None, 0 if step != -1 else -1) and stop is None:
        return size
    return 0 if step in (None, 1) and stop == 0 and (start is None or start >= 0) else UNKNOWN_DIM


def _read_bound(value: object) -> Any:
    """Returns a bound as an integer or None where it is known; anything else stands for the
    unknown.
    """
    if isinstance(value, bool):
        return int(value)
    if scalar_kind(value) in ("float", "complex", "str"):
        raise DTypeError(
            f"a slice bound cannot be a {scalar_kind(value)}", hint="Convert it to an integer."
        )
    return value


def getitem(arguments: Arguments) -> ShapedArray:
    """`x[index]`: the elements picked, of the array's dtype and weak type.

    >>> from oakum.values.avals import parse_aval
    >>> print(getitem({"self": parse_aval("f32[8,3]"), "key": 0}))
    f32[3]
    """
    given, index = operands.positional(arguments, 2)
    aval = operands.array(given)
    return with_rank(aval.update(shape=index_shape(aval, index)), _indexed_rank(aval, index))


def _indexed_rank(aval: ShapedArray, index: object) -> Dim:
    """Returns the number of dimensions of `aval[index]`.

    >>> from oakum.values.avals import ANY_ARRAY
    >>> str(_indexed_rank(with_rank(ANY_ARRAY, dims.symbol("r")), (None, slice(None), Ellipsis)))
    'r+1'
    """
    rank = rank_of(aval)
    for element in cast("tuple[Any, ...]", index) if type(index) is tuple else (index,):
        match element:
            case None:
                rank = dims.add(rank, 1)
            case slice() | EllipsisType():
                pass
            case bool():
                return UNKNOWN_DIM
            case int() | PythonScalar(kind="int"):
                rank = dims.sub(rank, 1)
            case _:
                return UNKNOWN_DIM
    return rank


def update(arguments: Arguments) -> ShapedArray:
    """`x.at[index].set(values)`: the array, with the values in place of the elements picked.

    >>> from oakum.values.avals import parse_aval
    >>> print(update({"x": parse_aval("f32[8,3]"), "index": 0, "values": parse_aval("i32[3]")}))
    f32[8,3]
    """
    given, index, values = operands.positional(arguments, 3)
    aval, new = operands.array(given), operands.array(values)
    picked = index_shape(aval, index)
    if picked is not None and new.shape is not None and all(map(dims.positive, picked)):
        _check_update(picked, new)
    return aval.update()


def _check_update(picked: Shape, new: ShapedArray) -> None:
    trimmed = new.shape or ()
    extra = len(trimmed) - len(picked)
    fits = all(size == 1 or not isinstance(size, int) for size in trimmed[: max(extra, 0)])
    pairs = zip(picked[::-1], trimmed[::-1], strict=False)
    for size, given in pairs:
        if dims.equal(given, 1) is False and dims.equal(given, size) is False:
            fits = False
    if not fits:
        raise ShapeError(
            f"Incompatible shapes for broadcasting: {operands.shape_text(new.shape)} and requested "
            f"shape {operands.shape_text(picked)}",
            hint="Give values of the shape of the elements that are picked, or a scalar.",
        )


def take(arguments: Arguments) -> ShapedArray:
    """`take`: elements at positions of an axis, or of the flattened array without one.

    >>> from oakum.values.avals import parse_aval
    >>> a, at = parse_aval("f32[8,3]"), parse_aval("i32[2,2]")
    >>> print(take({"a": a, "indices": at, "axis": 1}))
    f32[8,2,2]
    """
    given, positions = operands.positional(arguments, 2)
    aval = operands.array(given)
    chosen = data(positions)
    if chosen.dtype is not None and chosen.dtype.kind not in (Kind.INT, Kind.UINT):
        raise DTypeError(
            f"take indices must be of integer type, got {chosen.dtype}",
            hint="Convert the indices with astype(int).",
        )
    picked = chosen.shape
    axis = arguments.get("axis")
    if axis is None:
        return aval.update(shape=picked)
    if aval.shape is None or picked is None or not isinstance(axis, int):
        return aval.update(shape=None)
    at = operands.axis(axis, len(aval.shape))
    return aval.update(shape=(*aval.shape[:at], *picked, *aval.shape[at + 1 :]))


def take_along_axis(arguments: Arguments) -> ShapedArray:
    """`take_along_axis`: positions along one axis, the other dimensions broadcast."""
    given, positions = operands.positional(arguments, 2)
    aval, picked = operands.array(given), operands.array(positions)
    if aval.weak_type:
        aval = aval.update(weak_type=None)  # JAX varies here.
    axis = arguments.get("axis", -1)
    if axis is None:
        return aval.update(shape=(picked.size,))
    if aval.shape is None or picked.shape is None or not isinstance(axis, int):
        return aval.update(shape=None)
    if len(aval.shape) != len(picked.shape):
        raise ShapeError(
            f"take_along_axis takes arrays of as many dimensions, not {aval} and {picked}"
        )
    at = operands.axis(axis, len(aval.shape))
    one = [
        each.update(shape=tuple(1 if i == at else n for i, n in enumerate(shape)))
        for each, shape in ((aval, aval.shape), (picked, picked.shape))
    ]
    rest = operands.broadcast_shapes(one)
    assert rest is not None
    return aval.update(shape=(*rest[:at], picked.shape[at], *rest[at + 1 :]))


def indices(arguments: Arguments) -> Any:
    """`indices`: one array of all coordinates, or a sparse one for each axis.

    >>> print(indices({"dimensions": (2, 3), "dtype": None, "sparse": False}))
    i32[2,2,3]
    """
    shape = check_shape(arguments["dimensions"])
    default = dtypes.canonicalize(dtypes.int64), False
    typing = operands.dtype_option(arguments.get("dtype"), default)

    def result(sparse: bool) -> Any:
        if shape is None:
            return UNKNOWN if sparse else ShapedArray(None, *typing)
        if not sparse:
            return ShapedArray((len(shape), *shape), *typing)
        rank = len(shape)
        sizes = [(1,) * i + (size,) + (1,) * (rank - i - 1) for i, size in enumerate(shape)]
        return tuple(ShapedArray(each, *typing) for each in sizes)

    return operands.complete(operands.flags(arguments.get("sparse", False)), result)


def unravelled(arguments: Arguments) -> Any:
    """`unravel_index`: an index array for each axis of the shape."""
    given = operands.operand(arguments)
    shape = operands.shape(arguments["shape"])
    if shape is None:
        return UNKNOWN
    return (ShapedArray(given.shape, given.dtype, None),) * len(shape)


def diagonal_indices(arguments: Arguments) -> Any:
    """`diag_indices`: the same index array for each axis."""
    size, count = operands.dim(arguments["n"]), operands.integer(arguments.get("ndim", 2))
    if count is None:
        return UNKNOWN
    return (ShapedArray((size,), dtypes.canonicalize(dtypes.int64)),) * count


def diagonal_indices_from(arguments: Arguments) -> Any:
    """`diag_indices_from`: the same index array for each axis of the array."""
    given = operands.operand(arguments)
    if not given.shape:
        return UNKNOWN
    return (ShapedArray(given.shape[:1], dtypes.canonicalize(dtypes.int64)),) * len(given.shape)


def put_along_axis(arguments: Arguments) -> Any:
    """`put_along_axis`: the array, with values at positions of an axis."""
    given, positions = (operands.array(each) for each in operands.positional(arguments, 2))
    if None not in (given.ndim, positions.ndim) and given.ndim != positions.ndim:
        raise ShapeError(
            "put_along_axis arguments 'arr' and 'indices' must have same ndim",
            detail=f"Got arr.ndim={given.ndim} and indices.ndim={positions.ndim}",
            hint="Add axes to the indices, for example with indices[:, None].",
        )
    return next(iter(arguments.values()))
