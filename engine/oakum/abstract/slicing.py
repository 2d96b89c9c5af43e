"""The slicing functions of `jax.lax`: sizes are static, positions may be traced."""

from oakum.abstract import operands
from oakum.abstract.elementwise import INTEGERS, takes
from oakum.abstract.operands import Arguments
from oakum.abstract.reshaping import on_shape
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims
from oakum.values.avals import UNKNOWN_DIM, Dim, Shape, ShapedArray


def _with_size(aval: ShapedArray, axis: object, size: Dim | None) -> ShapedArray:
    """Returns the array with another size at an axis, or without the axis if the size is None."""

    def change(shape: Shape) -> Shape:
        rank = len(shape) - (size is None)
        if not isinstance(axis, int):
            return (UNKNOWN_DIM,) * rank
        at = operands.axis(axis, len(shape))
        return (*shape[:at], *(() if size is None else (size,)), *shape[at + 1 :])

    return on_shape(aval, change)


def _check_within(aval: ShapedArray, sizes: Shape) -> None:
    """Raises a `ShapeError` for sizes that certainly do not lie within an array."""
    if any(isinstance(size, int) and size < 0 for size in sizes):
        raise ShapeError(
            "slice slice_sizes must be greater than or equal to zero, got "
            f"{operands.shape_text(sizes)}",
            hint="Give sizes from zero on.",
        )
    if aval.shape is None:
        return
    if len(sizes) != len(aval.shape):
        raise ShapeError(
            "slice slice_sizes must have length equal to the number of dimensions of the operand",
            detail=f"Got {operands.shape_text(sizes)} for operand {aval}",
            hint="Give a size for each dimension.",
        )
    if any(dims.less(whole, size) for size, whole in zip(sizes, aval.shape, strict=True)):
        raise ShapeError(
            "slice slice_sizes must be less than or equal to operand shape",
            detail=f"Got {operands.shape_text(sizes)} for operand {aval}",
            hint="Give sizes that fit into the operand.",
        )


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
    _check_starts("dynamic_slice", aval, arguments.get("start_indices"))
    return aval.update(shape=sizes)


def _check_starts(name: str, aval: ShapedArray, starts: object) -> None:
    """Positions have to be as many as there are dimensions, and integers."""
    given = operands.items(starts)
    if given is None:
        return
    if aval.shape is not None and len(given) != len(aval.shape):
        raise ShapeError(
            f"{name} start_indices must have length equal to the rank of operand",
            detail=f"Got {len(given)} indices for operand {aval}",
            hint="Give a start for each axis of the operand.",
        )
    found = [operands.array(start) for start in given]
    shown = ", ".join(map(str, found))
    if any(start.shape for start in found):
        raise ShapeError(
            f"start_indices arguments to {name} must be scalars",
            detail=f"Got {shown}",
            hint="Give one integer for each axis; vmap takes blocks at many positions.",
        )
    if not all(takes(start.dtype, INTEGERS) for start in found):
        raise DTypeError(
            f"index arguments to {name} must be integers of the same type",
            detail=f"Got {shown}",
            hint="Convert the starts to one integer dtype.",
        )


def dynamic_update_slice(arguments: Arguments) -> ShapedArray:
    """`dynamic_update_slice`: the array, with a block of it written over.

    >>> from oakum.values.avals import parse_aval
    >>> x, block = parse_aval("f32[8,3]"), parse_aval("f32[2,3]")
    >>> print(dynamic_update_slice({"operand": x, "update": block, "start_indices": (0, 0)}))
    f32[8,3]
    """
    aval, block = (operands.array(each) for each in operands.positional(arguments, 2))
    _check_block(aval, block)
    _check_starts("dynamic_update_slice", aval, arguments["start_indices"])
    return operands.loosely_typed(aval.update())


def dynamic_update_slice_in_dim(arguments: Arguments) -> ShapedArray:
    """`dynamic_update_slice_in_dim`: the array, with some positions of an axis written over."""
    aval, block = (operands.array(each) for each in operands.positional(arguments, 2))
    if aval.shape is not None and isinstance(arguments["axis"], int):
        operands.axis(arguments["axis"], len(aval.shape))
    _check_block(aval, block)
    return operands.loosely_typed(aval.update())


def _check_block(aval: ShapedArray, block: ShapedArray) -> None:
    name = "dynamic_update_slice"
    if None not in (aval.ndim, block.ndim) and aval.ndim != block.ndim:
        raise ShapeError(
            f"{name} update must have the same rank as operand",
            detail=f"Got update {block} for operand {aval}",
            hint="Give the update as many axes as the operand has.",
        )
    pairs = zip(aval.shape or (), block.shape or (), strict=False)
    if any(dims.less(whole, size) for whole, size in pairs):
        raise ShapeError(
            f"{name} update shape must be smaller than operand shape",
            detail=f"Got update {block} for operand {aval}",
            hint="Cut the update so that it fits into the operand.",
        )
    strong = aval.weak_type is False and block.weak_type is False
    if strong and None not in (aval.dtype, block.dtype) and aval.dtype is not block.dtype:
        raise DTypeError(
            f"{name} requires arguments to have the same dtypes, got {aval.dtype}, {block.dtype}",
            hint="Convert the update with astype.",
        )


def dynamic_slice_in_dim(arguments: Arguments) -> ShapedArray:
    """`dynamic_slice_in_dim`: `slice_size` positions of one dimension."""
    aval, axis = operands.operand(arguments), arguments.get("axis", 0)
    size = operands.dim(arguments["slice_size"])
    result = _with_size(aval, axis, size)
    if aval.shape is not None and isinstance(axis, int):
        at = operands.axis(axis, len(aval.shape))
        _check_within(aval, (*aval.shape[:at], size, *aval.shape[at + 1 :]))
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
    _check_bounds(aval, starts, limits, steps)
    blocks = zip(starts, limits, steps or (1,) * len(starts), strict=True)
    return aval.update(shape=tuple(_block(*block) for block in blocks))


def exact_slice(
    aval: ShapedArray,
    starts: tuple[int, ...],
    limits: tuple[int, ...],
    strides: tuple[int, ...] | None,
) -> ShapedArray:
    """Returns the result of the primitive, whose operand and bounds are known."""
    shape, steps = aval.shape or (), strides or (1,) * len(starts)
    bounds = list(zip(shape, starts, limits, steps, strict=False))
    fits = len(shape) == len(starts) == len(limits) == len(steps) and all(
        0 <= start <= limit <= size and step > 0  # pyright: ignore[reportOperatorIssue]
        for size, start, limit, step in bounds
    )
    if not fits:
        _check_bounds(aval, starts, limits, strides)  # which says what is wrong
    return aval.update(shape=tuple(-((s - e) // step) for _, s, e, step in bounds))


def _check_bounds(aval: ShapedArray, starts: Shape, limits: Shape, steps: Shape | None) -> None:
    hint = "Give bounds within the operand, one for each dimension."
    shown = f"start_indices {operands.shape_text(starts)}"
    shown = f"Got {shown} and limit_indices {operands.shape_text(limits)} for operand {aval}"
    if aval.ndim is not None and len(starts) != aval.ndim:
        raise ShapeError(
            "slice start_indices must have length equal to the number of dimensions of the operand",
            detail=shown,
            hint=hint,
        )
    if len(limits) != len(starts):
        raise ShapeError(
            "slice limit_indices must have the same length as start_indices",
            detail=shown,
            hint=hint,
        )
    if any(map(dims.less, aval.shape or (), limits)):
        raise ShapeError(
            "slice limit_indices must be less than or equal to operand shape",
            detail=shown,
            hint=hint,
        )
    if any(isinstance(start, int) and start < 0 for start in starts):
        raise ShapeError(
            "slice start_indices must have every element be nonnegative", detail=shown, hint=hint
        )
    if any(map(dims.less, limits, starts)):
        raise ShapeError(
            "slice limit_indices must be greater than or equal to start_indices",
            detail=shown,
            hint=hint,
        )
    if steps is not None and len(steps) != len(starts):
        raise ShapeError(
            "slice strides must have length equal to the number of dimensions of the operand",
            detail=f"Got strides {operands.shape_text(steps)} for operand {aval}",
            hint=hint,
        )
    if any(isinstance(step, int) and step <= 0 for step in steps or ()):
        raise ShapeError(
            f"slice strides must be positive, got {operands.shape_text(steps)}", hint=hint
        )


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
                raise ShapeError(
                    "slice limit_indices must be less than or equal to operand shape",
                    detail=f"Got limit_index {limit} for dimension {at} of {aval}",
                    hint="Give bounds within the operand.",
                )
            length = len(range(*slice(start, limit, step).indices(whole)))
        return (*shape[:at], length, *shape[at + 1 :])

    return on_shape(aval, cut)
