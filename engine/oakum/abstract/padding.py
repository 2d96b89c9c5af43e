"""Functions that lengthen or shorten dimensions: padding, repetition, differences, insertion."""

from collections.abc import Sequence

from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.abstract.reshaping import on_shape
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims, promotion
from oakum.values.avals import UNKNOWN, UNKNOWN_DIM, Dim, Shape, ShapedArray


def pad(arguments: Arguments) -> ShapedArray:
    """`pad`: each dimension grows by its widths.

    >>> from oakum.values.avals import parse_aval
    >>> print(pad({"array": parse_aval("f32[2,3]"), "pad_width": ((0, 1), (2, 2))}))
    f32[3,7]
    """
    given, widths = operands.positional(arguments, 2)
    aval = operands.array(given)

    def grow(shape: Shape) -> Shape:
        pairs = _pad_widths(widths, len(shape))
        if pairs is None:
            return (UNKNOWN_DIM,) * len(shape)
        sizes = zip(shape, pairs, strict=True)
        return tuple(dims.add(size, dims.add(before, after)) for size, (before, after) in sizes)

    return on_shape(aval, grow)


def _pad_widths(value: object, ndim: int) -> list[tuple[Dim, Dim]] | None:
    """Returns the widths before and after each dimension, of NumPy's n, (n,), (n, m), ((n, m),
    ...).
    """
    if isinstance(value, int):
        return [_both(value)] * ndim
    items = operands.items(value)
    if items is None:
        return None
    if all(isinstance(item, (tuple, list)) for item in items):
        pairs = [_pair(item) for item in items]
        if any(pair is None for pair in pairs):
            return None
        known = [pair for pair in pairs if pair is not None]
        if len(known) == 1:
            return known * ndim
        if len(known) != ndim:
            raise ShapeError(f"{len(known)} pad widths do not fit {ndim} dimensions")
        return known
    if all(isinstance(item, int) for item in items):
        pair = _pair(items)
        return None if pair is None else [pair] * ndim
    return None


def _both(width: Dim) -> tuple[Dim, Dim]:
    return width, width


def _pair(items: Sequence[object]) -> tuple[Dim, Dim] | None:
    if len(items) == 1:
        return _both(operands.dim(items[0]))
    return (operands.dim(items[0]), operands.dim(items[1])) if len(items) == 2 else None


def repeat(arguments: Arguments) -> ShapedArray:
    """`repeat`: each element of an axis several times; of the flattened array without an axis.

    >>> from oakum.values.avals import parse_aval
    >>> print(repeat({"a": parse_aval("f32[2,3]"), "repeats": 2, "axis": 1}))
    f32[2,6]
    """
    given, repeats = operands.positional(arguments, 2)
    aval = operands.array(given)
    axis = arguments.get("axis")
    total = arguments.get("total_repeat_length")
    if axis is None or aval.shape == ():
        aval = aval.update(shape=(aval.size,))
        axis = 0
    if axis is UNKNOWN:
        aval = aval.update(shape=None)

    def lengthen(shape: Shape) -> Shape:
        choices = operands.axis_choices(axis, len(shape))
        if choices is None:
            return (UNKNOWN_DIM,) * len(shape)

        def one(choice: int) -> ShapedArray:
            at = operands.axis(choice, len(shape))
            length = _repeat_size(shape[at], repeats) if total is None else operands.dim(total)
            return ShapedArray((*shape[:at], length, *shape[at + 1 :]), None)

        result: ShapedArray = operands.complete(choices, one)
        return operands.known_rank(result)

    loose = None if aval.weak_type else aval.weak_type  # JAX varies here.
    return on_shape(aval, lengthen).update(weak_type=loose)


def _repeat_size(size: Dim, repeats: object) -> Dim:
    counts = operands.items(repeats)
    if counts is not None:
        if not all(isinstance(count, int) for count in counts):
            return UNKNOWN_DIM
        if len(counts) == 1:
            return dims.mul(size, counts[0])
        if dims.equal(size, len(counts)) is False:
            raise ShapeError(f"{len(counts)} repeats do not fit a dimension of size {size}")
        return sum(counts)
    return dims.mul(size, operands.dim(repeats))


def tile(arguments: Arguments) -> ShapedArray:
    """`tile`: the whole array several times along each dimension.

    >>> from oakum.values.avals import parse_aval
    >>> print(tile({"A": parse_aval("f32[3]"), "reps": (2, 2)}))
    f32[2,6]
    """
    given = operands.operand(arguments)
    counts = operands.shape(operands.positional(arguments, 2)[1])
    if any(isinstance(count, int) and count < 0 for count in counts or ()):
        raise ShapeError(
            "tile repeats an axis a nonnegative number of times, "
            f"got reps {operands.shape_text(counts)}",
            hint="Give numbers of repetitions from zero on.",
        )
    if counts is None or given.shape is None:
        return given.update(shape=None)
    rank = max(len(counts), len(given.shape))
    sizes = (1,) * (rank - len(given.shape)) + given.shape
    times = (1,) * (rank - len(counts)) + counts
    return given.update(shape=tuple(map(dims.mul, sizes, times)))


def resize(arguments: Arguments) -> ShapedArray:
    """`resize`: the shape asked for, whatever the operand's."""
    given = operands.operand(arguments)
    return given.update(shape=operands.shape(operands.positional(arguments, 2)[1]))


def diff(arguments: Arguments) -> ShapedArray:
    """`diff`: an axis shrinks by the order of the difference and grows by what is joined to it.

    >>> from oakum.values.avals import parse_aval
    >>> print(diff({"a": parse_aval("f32[2,5]"), "n": 2, "axis": -1}))
    f32[2,3]
    """
    given = operands.operand(arguments)
    order = arguments.get("n", 1)
    axis = arguments.get("axis", -1)
    ends = [arguments.get("prepend"), arguments.get("append")]
    if order == 0:
        return given.update()
    if isinstance(order, int) and order < 0:
        raise ShapeError(
            f"order must be non-negative but got {order}", hint="Give an order from zero on."
        )
    types = [given.typing, *(operands.array(end).typing for end in ends if end is not None)]
    dtype, weak_type = promotion.promote(types)
    if not isinstance(order, int) and (dtype, weak_type) != given.typing:
        # An order of zero gives the operand itself, without what would be joined to it.
        dtype = dtype if dtype == given.dtype else None
        weak_type = weak_type if weak_type == given.weak_type else None

    def shrink(shape: Shape) -> Shape:
        if not (isinstance(axis, int) and isinstance(order, int)):
            return (UNKNOWN_DIM,) * len(shape)
        at = operands.axis(axis, len(shape))
        length: Dim = shape[at]
        for end in ends:
            if end is not None:
                length = dims.add(length, _length(operands.array(end), at))
        length = dims.maximum(dims.sub(length, order), 0)
        return (*shape[:at], length, *shape[at + 1 :])

    return on_shape(given, shrink).update(dtype=dtype, weak_type=weak_type)


def _length(end: ShapedArray, axis: int) -> Dim:
    """Returns the number of elements that an array adds to an axis it is joined to."""
    if end.shape is None:
        return UNKNOWN_DIM
    sizes = list(end.shape)
    if not sizes:
        return 1
    return sizes[axis] if axis < len(sizes) else UNKNOWN_DIM


def insert(arguments: Arguments) -> ShapedArray:
    """`insert`: an axis grows by the number of places, or by the length of the values."""
    return _resized_axis(arguments, lengthen=True)


def delete(arguments: Arguments) -> ShapedArray:
    """`delete`: an axis shrinks by the number of places."""
    return _resized_axis(arguments, lengthen=False)


def _resized_axis(arguments: Arguments, *, lengthen: bool) -> ShapedArray:
    given, places = operands.positional(arguments, 2)
    aval = operands.array(given)
    axis = arguments.get("axis")
    if axis is None:
        aval = aval.update(shape=(aval.size,))
        axis = 0
    if not isinstance(axis, int):  # It may be None, which flattens the array.
        return aval.update(shape=None)

    def change(shape: Shape) -> Shape:
        at = operands.axis(axis, len(shape))
        length: Dim = UNKNOWN_DIM
        if isinstance(places, int) and not lengthen:
            length = dims.sub(shape[at], 1)
        return (*shape[:at], length, *shape[at + 1 :])

    return on_shape(aval, change) if places is not UNKNOWN else aval.update(shape=None)


def lax_pad(arguments: Arguments) -> ShapedArray:
    """`lax.pad`: each dimension grows at its ends and between its elements, by static amounts.

    >>> from oakum.values.avals import parse_aval
    >>> config = ((1, 2, 0), (0, 0, 1))
    >>> operand = parse_aval("f32[2,3]")
    >>> print(lax_pad({"operand": operand, "padding_value": 0.0, "padding_config": config}))
    f32[5,5]
    """
    aval, value = (operands.array(each) for each in operands.positional(arguments, 2))
    if value.shape:
        raise _unfit(f"padding_value must be a scalar; got {value}")
    shape = _pad_shape(aval, arguments["padding_config"])
    if None not in (aval.dtype, value.dtype) and aval.dtype is not value.dtype:
        raise DTypeError(
            f"pad operand and padding_value must be same dtype: got {aval} and {value}",
            hint="Convert the padding value to the dtype of the operand.",
        )
    return operands.loosely_typed(aval.update(shape=shape))


def _pad_shape(aval: ShapedArray, config: object) -> Shape | None:
    """Returns the shape of a padded array; a `ShapeError` where the amounts do not fit it."""
    widths = [operands.items(each) for each in operands.items(config) or [None]]
    triples = [each for each in widths if each is not None and len(each) == 3]
    if aval.shape is None or len(triples) < len(widths):
        return None if aval.shape is None else (UNKNOWN_DIM,) * len(aval.shape)
    shown = f"Got padding_config {config} for operand {aval}"
    if len(triples) != len(aval.shape):
        raise _unfit("length of padding_config must equal the number of axes of operand", shown)
    if any(isinstance(between, int) and between < 0 for _, _, between in triples):
        raise _unfit("interior padding in padding_config must be nonnegative", shown)
    sizes = [_pad_size(size, *each) for size, each in zip(aval.shape, triples, strict=True)]
    if any(isinstance(size, int) and size < 0 for size in sizes):
        raise _unfit("Dimension size after padding is not at least 0", shown)
    return tuple(sizes)


def _unfit(reason: str, detail: str = "") -> ShapeError:
    hint = "Give (low, high, interior) for each axis of the operand."
    return ShapeError(reason, detail=detail, hint=hint)


def _pad_size(size: Dim, low: object, high: object, between: object) -> Dim:
    gaps = dims.maximum(dims.sub(size, 1), 0)
    inner = dims.add(size, dims.mul(gaps, operands.dim(between)))
    return dims.add(inner, dims.add(operands.dim(low), operands.dim(high)))
