"""Sorting, searching, and the functions whose output size depends on values.

The latter take the size from an option (`size`, `length`); without it their size is unknown.
"""

from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import result_type
from oakum.abstract.operands import Arguments
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims
from oakum.values.avals import UNKNOWN, UNKNOWN_DIM, Dim, Shape, ShapedArray


def default_integer() -> DType | None:
    """Returns the dtype of positions."""
    return dtypes.canonicalize(dtypes.int64)


def _along(arguments: Arguments, name: str = "axis") -> Shape | None:
    """Returns the shape of the operand, flattened if the axis is None; checks a known axis."""
    given = operands.operand(arguments)
    axis = arguments.get(name, -1)
    if axis is None:
        return (given.size,)
    if given.shape is None or axis is UNKNOWN:
        return None
    if isinstance(axis, int) and (given.shape or name == "axis"):
        operands.axis(axis, len(given.shape))
    return given.shape


def sort(arguments: Arguments) -> ShapedArray:
    """`sort`, `partition`: the operand, flattened if the axis is None.

    >>> from oakum.values.avals import parse_aval
    >>> print(sort({"a": parse_aval("f32[2,3]"), "axis": None}))
    f32[6]
    """
    return operands.operand(arguments).update(shape=_along(arguments))


def argsort(arguments: Arguments) -> ShapedArray:
    """`argsort`, `argpartition`: positions in the shape of the operand."""
    dtype, weak_type = operands.dtype_option(arguments.get("dtype"), (default_integer(), False))
    return ShapedArray(_along(arguments), dtype, weak_type)


def argpartition(arguments: Arguments) -> ShapedArray:
    """`argpartition`: as `argsort`; of weakly typed operands JAX varies."""
    given = operands.operand(arguments)
    return operands.loosely_typed(argsort(arguments).update(weak_type=given.weak_type))


def lexsort(arguments: Arguments) -> ShapedArray:
    """`lexsort`: positions in the shape of one key."""
    keys = next(iter(arguments.values()))
    items = operands.items(keys)
    if items:
        return ShapedArray(operands.array(items[0]).shape, default_integer())
    aval = operands.array(keys)
    return ShapedArray(aval.shape[1:] if aval.shape else None, default_integer())


def searchsorted(arguments: Arguments) -> ShapedArray:
    """`searchsorted`: positions in the shape of the values looked for."""
    given, values = operands.positional(arguments, 2)
    sorted_array = operands.array(given)
    if sorted_array.ndim not in (None, 1):
        raise ShapeError(f"searchsorted takes a vector to search in, not {sorted_array}")
    return ShapedArray(operands.array(values).shape, dtypes.int32)


def digitize(arguments: Arguments) -> ShapedArray:
    """`digitize`: positions in the shape of the operand."""
    return ShapedArray(operands.operand(arguments).shape, dtypes.int32)


def top_k(arguments: Arguments) -> list[ShapedArray]:
    """`top_k`: the largest elements of an axis, and their positions.

    >>> from oakum.values.avals import parse_aval
    >>> print(*top_k({"operand": parse_aval("f32[4,9]"), "k": 2, "axis": -1}))
    f32[4,2] i32[4,2]
    """
    given = operands.operand(arguments)
    axis, count = arguments.get("axis", -1), operands.dim(arguments["k"])
    shape = None
    if given.shape is not None and isinstance(axis, int):
        if not given.shape:
            raise ShapeError(f"top_k takes an array of one dimension or more, not {given}")
        at = operands.axis(axis, len(given.shape))
        if dims.less(given.shape[at], count):
            raise ShapeError(f"{given} has no {count} elements in dimension {at}")
        shape = (*given.shape[:at], count, *given.shape[at + 1 :])
    positions = ShapedArray(shape, dtypes.int32, given.weak_type)
    return [given.update(shape=shape), operands.loosely_typed(positions)]


def _size(arguments: Arguments, name: str = "size") -> Dim:
    value = arguments.get(name)
    return UNKNOWN_DIM if value is None else operands.dim(value)


def nonzero(arguments: Arguments) -> Any:
    """`nonzero`: for each dimension the positions of the elements that are not zero.

    >>> from oakum.values.avals import parse_aval
    >>> print(*nonzero({"a": parse_aval("f32[4,9]"), "size": 5}))
    i32[5] i32[5]
    """
    given = operands.operand(arguments)
    if given.shape is None:
        return UNKNOWN
    positions = ShapedArray((_size(arguments),), default_integer())
    return (positions,) * max(len(given.shape), 1)


def flatnonzero(arguments: Arguments) -> ShapedArray:
    """`flatnonzero`: the positions in the flattened operand."""
    return ShapedArray((_size(arguments),), default_integer())


def argwhere(arguments: Arguments) -> ShapedArray:
    """`argwhere`: the positions as rows."""
    ndim = operands.operand(arguments).ndim
    return ShapedArray((_size(arguments), UNKNOWN_DIM if ndim is None else ndim), default_integer())


def unique(arguments: Arguments) -> Any:
    """`unique`: the distinct elements, and on request where they stand and how often.

    >>> from oakum.values.avals import parse_aval
    >>> print(unique({"ar": parse_aval("f32[9]"), "size": 4}))
    f32[4]
    """
    given = operands.operand(arguments)
    size = _size(arguments)
    axis = arguments.get("axis")
    shape: Shape | None = (size,)
    if axis is not None:
        shape = None
        if given.shape is not None and isinstance(axis, int):
            at = operands.axis(axis, len(given.shape))
            shape = (*given.shape[:at], size, *given.shape[at + 1 :])
    results: list[Any] = [operands.loosely_typed(given.update(shape=shape))]
    sizes = {"return_index": (size,), "return_inverse": given.shape, "return_counts": (size,)}
    if axis is not None:
        sizes["return_inverse"] = None
    for option, extra in sizes.items():
        match arguments.get(option, False):
            case bool(asked):
                if asked:
                    results.append(ShapedArray(extra, default_integer()))
            case _:
                return UNKNOWN
    return results[0] if len(results) == 1 else tuple(results)


def set_operation(arguments: Arguments) -> Any:
    """`union1d`, `setxor1d`: a vector of the promoted dtype."""
    arrays = [operands.array(value) for value in operands.positional(arguments, 2)]
    return operands.loosely_typed(ShapedArray((_size(arguments),), *result_type(arrays, "same")))


def intersection(arguments: Arguments) -> Any:
    """`intersect1d`: as `set_operation`, and on request where the elements stand in both."""
    common: ShapedArray = set_operation(arguments)
    places = common.update(dtype=default_integer(), weak_type=False)

    def result(with_places: bool) -> Any:
        return (common, places, places) if with_places else common

    return operands.complete(operands.flags(arguments.get("return_indices", False)), result)


def difference(arguments: Arguments) -> ShapedArray:
    """`setdiff1d`: a vector of the dtype of the first operand."""
    given = operands.operand(arguments)
    return operands.loosely_typed(given.update(shape=(_size(arguments),)))


def bincount(arguments: Arguments) -> ShapedArray:
    """`bincount`: how often each number occurs, or the sums of its weights.

    >>> from oakum.values.avals import parse_aval
    >>> print(bincount({"x": parse_aval("i32[9]"), "weights": None, "length": 4}))
    i32[4]
    """
    given = operands.operand(arguments)
    if operands.of_kind(given.dtype, Kind.FLOAT, Kind.COMPLEX):
        raise DTypeError(f"bincount takes integers, not {given}")
    weights = arguments.get("weights")
    dtype = default_integer() if weights is None else operands.array(weights).dtype
    return ShapedArray((_size(arguments, "length"),), dtype, None if weights is not None else False)


def histogram(arguments: Arguments) -> Any:
    """`histogram`: the counts of the bins, and their edges."""
    bins = arguments.get("bins", 10)
    edges: Dim = UNKNOWN_DIM
    if isinstance(bins, int):
        edges = bins + 1
    elif isinstance(bins, ShapedArray):
        edges = bins.size
    return ShapedArray((dims.sub(edges, 1),), None, None), ShapedArray((edges,), None, None)


def select_elements(arguments: Arguments) -> ShapedArray:
    """`compress`, `extract`: the elements where a condition holds."""
    given = operands.array(operands.positional(arguments, 2)[1])
    axis = arguments.get("axis")
    if axis is None:
        return given.update(shape=(_size(arguments),))
    if given.shape is None or not isinstance(axis, int):
        return given.update(shape=None)
    at = operands.axis(axis, len(given.shape))
    return given.update(shape=(*given.shape[:at], _size(arguments), *given.shape[at + 1 :]))


def sorted_pair(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`sort_key_val`: the keys and the values, sorted."""
    keys, values = (operands.array(each) for each in operands.positional(arguments, 2))
    return keys.update(weak_type=None), values.update(weak_type=None)


def lax_sort(arguments: Arguments) -> Any:
    """`lax.sort`: the operand, or the operands, which have the dimension."""
    given = arguments["operand"]
    first = next(iter(operands.items(given) or [given]), given)
    shape, dimension = operands.array(first).shape, arguments["dimension"]
    if shape is not None and isinstance(dimension, int):
        operands.axis(dimension, len(shape))
    return given
