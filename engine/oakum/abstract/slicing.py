"""The slicing functions of `jax.lax`: sizes are static, positions may be traced."""

from typing import Any

from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.abstract.reshaping import on_shape
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims
from oakum.values.avals import UNKNOWN_DIM, Dim, Shape, ShapedArray


def _with_size(aval: ShapedArray, axis: Any, size: Dim | None) -> ShapedArray:
    """The array with another size at an axis, or without the axis if the size is None."""

    def change(shape: Shape) -> Shape:
        rank = len(shape) - (size is None)
        if not isinstance(axis, int):
            return (UNKNOWN_DIM,) * rank
        at = operands.axis(axis, len(shape))
        return (*shape[:at], *(() if size is None else (size,)), *shape[at + 1 :])

    return on_shape(aval, change)


def _check_within(aval: ShapedArray, sizes: Shape) -> None:
    if aval.shape is None:
        return
    if len(sizes) != len(aval.shape):
        raise ShapeError(
            f"{len(sizes)} slice sizes do not fit {aval}, of {len(aval.shape)} dimensions"
        )
    for i, (size, whole) in enumerate(zip(sizes, aval.shape, strict=True)):
        if dims.less(whole, size):
            raise ShapeError(f"a slice of size {size} does not fit dimension {i} of {aval}")


def dynamic_slice(arguments: Arguments) -> ShapedArray:
    """`dynamic_slice`: a block of the sizes given.

    >>> from oakum.values.avals import parse_aval
    >>> x = parse_aval("f32[8,3]")
    >>> print(dynamic_slice({"operand": x, "start_indices": (0, 0), "slice_sizes": (2, 3)}))
    f32[2,3]
    """
    aval = operands.operand(arguments)
    sizes = operands.shape(arguments["slice_sizes"])
    if sizes is not None:
        _check_within(aval, sizes)
    _check_starts(aval, arguments.get("start_indices"))
    return aval.update(shape=sizes)


def _check_starts(aval: ShapedArray, starts: Any) -> None:
    """Positions have to be as many as there are dimensions, and integers."""
    given = operands.items(starts)
    if given is None:
        return
    if aval.shape is not None and len(given) != len(aval.shape):
        raise ShapeError(
            f"{len(given)} start indices do not fit {aval}, of {len(aval.shape)} dimensions",
            hint="Give one start index for each dimension.",
        )
    for start in given:
        if operands.of_kind(operands.array(start).dtype, Kind.BOOL, Kind.FLOAT, Kind.COMPLEX):
            raise DTypeError(
                f"a start index is an integer, not {operands.array(start)}",
                hint="Convert the index with astype(int).",
            )


def dynamic_update_slice(arguments: Arguments) -> ShapedArray:
    """`dynamic_update_slice`: the array, with a block of it written over.

    >>> from oakum.values.avals import parse_aval
    >>> x, block = parse_aval("f32[8,3]"), parse_aval("f32[2,3]")
    >>> print(dynamic_update_slice({"operand": x, "update": block, "start_indices": (0, 0)}))
    f32[8,3]
    """
    aval, block = (operands.array(each) for each in operands.positional(arguments, 2))
    _check_starts(aval, arguments["start_indices"])
    _check_block(aval, block)
    return operands.loosely_typed(aval.update())


def dynamic_update_slice_in_dim(arguments: Arguments) -> ShapedArray:
    """`dynamic_update_slice_in_dim`: the array, with some positions of an axis written over."""
    aval, block = (operands.array(each) for each in operands.positional(arguments, 2))
    if aval.shape is not None and isinstance(arguments["axis"], int):
        operands.axis(arguments["axis"], len(aval.shape))
    _check_block(aval, block)
    return operands.loosely_typed(aval.update())


def _check_block(aval: ShapedArray, block: ShapedArray) -> None:
    if block.shape is not None:
        _check_within(aval, block.shape)
    strong = aval.weak_type is False and block.weak_type is False
    if strong and None not in (aval.dtype, block.dtype) and aval.dtype is not block.dtype:
        raise DTypeError(
            f"{block} is written over a part of {aval}, and their dtypes differ",
            hint="Convert the update with astype.",
        )


def dynamic_slice_in_dim(arguments: Arguments) -> ShapedArray:
    """`dynamic_slice_in_dim`: `slice_size` positions of one dimension."""
    aval, axis = operands.operand(arguments), arguments.get("axis", 0)
    size = operands.dim(arguments["slice_size"])
    result = _with_size(aval, axis, size)
    if aval.shape is not None and isinstance(axis, int) and dims.less(aval.shape[axis], size):
        raise ShapeError(f"a slice of size {size} does not fit dimension {axis} of {aval}")
    return result


def index_in_dim(arguments: Arguments) -> ShapedArray:
    """`index_in_dim`, `dynamic_index_in_dim`: one position of one dimension."""
    aval = operands.operand(arguments)
    axis = arguments.get("axis", 0)
    result: ShapedArray = operands.complete(
        operands.flags(arguments.get("keepdims", True)),
        lambda keep: _with_size(aval, axis, 1 if keep else None),
    )
    return result


def static_slice(arguments: Arguments) -> ShapedArray:
    """`slice`: a block between static bounds.

    >>> from oakum.values.avals import parse_aval
    >>> bounds = {"start_indices": (0, 1), "limit_indices": (8, 3), "strides": (2, 1)}
    >>> print(static_slice({"operand": parse_aval("f32[8,3]"), **bounds}))
    f32[4,2]
    """
    aval = operands.operand(arguments)
    names = ("start_indices", "limit_indices")
    starts, limits = (operands.shape(arguments[name]) for name in names)
    strides = arguments.get("strides")
    steps = None if strides is None else operands.shape(strides)
    if starts is None or limits is None or (strides is not None and steps is None):
        return aval.update(shape=None if aval.shape is None else (UNKNOWN_DIM,) * len(aval.shape))
    _check_within(aval, limits)
    if len(starts) != len(limits) or (steps is not None and len(steps) != len(limits)):
        raise ShapeError("a slice takes as many starts, limits and strides as there are dimensions")
    blocks = zip(starts, limits, steps or (1,) * len(starts), strict=True)
    return aval.update(shape=tuple(_block(*block) for block in blocks))


def _block(start: Dim, limit: Dim, step: Dim) -> Dim:
    length = dims.sub(limit, start)
    if step == 1:
        return length
    return dims.floordiv(dims.sub(dims.add(length, step), 1), step)


def slice_in_dim(arguments: Arguments) -> ShapedArray:
    """`slice_in_dim`: part of one dimension between static bounds."""
    aval = operands.operand(arguments)
    axis = arguments.get("axis", 0)
    start, limit = arguments["start_index"], arguments["limit_index"]
    step = arguments.get("stride", 1)

    def cut(shape: Shape) -> Shape:
        if not isinstance(axis, int):
            return (UNKNOWN_DIM,) * len(shape)
        at = operands.axis(axis, len(shape))
        whole = shape[at]
        length: Dim = UNKNOWN_DIM
        known = all(bound is None or isinstance(bound, int) for bound in (start, limit))
        if isinstance(whole, int) and known and isinstance(step, int) and step > 0:
            if limit is not None and limit > whole:
                raise ShapeError(f"a slice up to {limit} does not fit dimension {at} of {aval}")
            length = len(range(*slice(start, limit, step).indices(whole)))
        return (*shape[:at], length, *shape[at + 1 :])

    return on_shape(aval, cut)
