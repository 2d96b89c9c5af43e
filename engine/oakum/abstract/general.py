"""The general contraction and the general convolution of `jax.lax`."""

from collections.abc import Sequence
from typing import Any, cast

from oakum import dtypes
from oakum.abstract import contraction, operands
from oakum.abstract.contraction import contract, product_type
from oakum.abstract.operands import Arguments
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims, promotion
from oakum.values.avals import UNKNOWN_DIM, Dim, Shape, ShapedArray
from oakum.values.declarations import AbstractRule


def _items(value: Any, count: int | None = None) -> list[Any] | None:
    """The items of a sequence that is known and, if asked, of this length."""
    if not isinstance(value, (tuple, list)):
        return None
    items = [*cast("Sequence[Any]", value)]
    return items if count in (None, len(items)) else None


def _axes(value: Any) -> tuple[int, ...] | None:
    items = _items(value)
    if items is None or not all(isinstance(item, int) for item in items):
        return None
    return tuple(items)


def _dimension_numbers(value: Any) -> list[tuple[int, ...]] | None:
    """The contracted axes of both operands, and the batch axes of both."""
    found: list[tuple[int, ...]] = []
    for pair in _items(value, 2) or (None,):
        for each in _items(pair, 2) or (None,):
            axes = _axes(each)
            if axes is None:
                return None
            found.append(axes)
    return found


def _untyped(arguments: Arguments) -> Arguments:
    """The arguments of a product, its operands without types that are not promoted to each other:
    the products of `lax` take any, and give the wider one.
    """
    given = dict(zip(arguments, operands.positional(arguments, 2), strict=False))
    arrays = {name: operands.array(each) for name, each in given.items()}
    operands.reject_keys([*arrays.values()], "a contraction")
    try:
        promotion.promote(each.typing for each in arrays.values())
    except DTypeError:
        return {**arguments, **{name: each.update(dtype=None) for name, each in arrays.items()}}
    return arguments


def batch_matmul(arguments: Arguments) -> ShapedArray:
    """`batch_matmul`: the product of each matrix of one array with one of the other.

    >>> from oakum.values.avals import parse_aval
    >>> print(batch_matmul({"lhs": parse_aval("i4[5,2,3]"), "rhs": parse_aval("i8[5,3,4]")}))
    ?[5,2,4]
    """
    return contraction.matmul(_untyped(arguments))


def dot_general(arguments: Arguments) -> ShapedArray:
    """`dot_general`: batch axes, then the other axes of the first operand, then of the second.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"lhs": parse_aval("f32[8,2,3]"), "rhs": parse_aval("f32[8,3,4]")}
    >>> print(dot_general({**given, "dimension_numbers": (((2,), (1,)), ((0,), (0,)))}))
    f32[8,2,4]
    """
    arguments = _untyped(arguments)
    left, right = (operands.array(each) for each in operands.positional(arguments, 2))
    typing = product_type((left, right), arguments)
    numbers = _dimension_numbers(arguments["dimension_numbers"])
    if numbers is None or left.shape is None or right.shape is None:
        return ShapedArray(None, *typing)
    mine, theirs, my_batch, their_batch = numbers
    if len(mine) != len(theirs) or len(my_batch) != len(their_batch):
        raise ShapeError(
            f"dot_general pairs the axes {mine} and {my_batch} with {theirs} and {their_batch}",
            hint="Name as many axes of the one operand as of the other.",
        )
    for i, j in (*zip(mine, theirs, strict=True), *zip(my_batch, their_batch, strict=True)):
        operands.axis(i, len(left.shape))
        operands.axis(j, len(right.shape))
        contract(left, right, i, j)
    shape: list[Dim] = [left.shape[i] for i in my_batch]
    shape += [n for i, n in enumerate(left.shape) if i not in (*mine, *my_batch)]
    shape += [n for i, n in enumerate(right.shape) if i not in (*theirs, *their_batch)]
    return ShapedArray(tuple(shape), *typing)


def dot(arguments: Arguments) -> Any:
    """`lax.dot`: with dimension numbers as `dot_general`, else of vectors and matrices."""
    plain = arguments.get("dimension_numbers") is None
    return contraction.dot(_untyped(arguments)) if plain else dot_general(arguments)


def _letters(value: Any, rank: int) -> tuple[str, str, str] | None:
    """The letters of the axes of images, filters and results; channels first by default."""
    spatial = "0123456789"[: rank - 2]
    if value is None:
        return "NC" + spatial, "OI" + spatial, "NC" + spatial
    match _items(value, 3):
        case [str(image), str(window), str(result)]:
            fits = len(image) == len(window) == len(result) == rank
            return (image, window, result) if fits else None
        case _:
            return None


def _step(value: Any) -> Dim:
    """A stride or a dilation, 1 where there is none."""
    step = 1 if value is None else operands.dim(value)
    if isinstance(step, int) and step < 1:
        raise ShapeError(f"all strides and dilations of a convolution must be positive, got {step}")
    return step


def _dilated(size: Dim, dilation: Any) -> Dim:
    factor = _step(dilation)
    return size if factor == 1 else dims.add(dims.mul(dims.sub(size, 1), factor), 1)


def _windows(size: Dim, window: Dim, stride: Any, padding: Any) -> Dim:
    """How many positions a window has along one axis."""
    step = _step(stride)
    match padding:
        case "SAME" | "SAME_LOWER":
            return dims.floordiv(dims.sub(dims.add(size, step), 1), step)
        case "VALID":
            whole = size
        case (low, high):
            whole = dims.add(size, dims.add(operands.dim(low), operands.dim(high)))
        case _:
            return UNKNOWN_DIM
    free = dims.sub(whole, window)
    places = free if step == 1 else dims.floordiv(free, step)
    return dims.add(places, 1)


def _option(arguments: Arguments, name: str, count: int) -> list[Any]:
    """An option with an entry for each spatial axis; unknown entries if it is not known."""
    value = arguments.get(name)
    if value is None or isinstance(value, str):
        return [value] * count
    return _items(value, count) or [UNKNOWN_DIM] * count


def _check_operands(left: ShapedArray, right: ShapedArray) -> None:
    if left.dtype is None or right.dtype is None or left.weak_type or right.weak_type:
        return
    if left.dtype is not right.dtype:
        raise DTypeError(f"a convolution takes operands of one dtype, not {left} and {right}")


def _check_channels(
    left: ShapedArray, right: ShapedArray, channels: Dim, inputs: Dim, arguments: Arguments
) -> None:
    groups = operands.dim(arguments.get("feature_group_count", 1))
    each = dims.floordiv(channels, groups)
    if dims.equal(each, inputs) is False:
        shared = f" in {groups} groups" if groups != 1 else ""
        raise ShapeError(
            f"the images have {channels} channels{shared}, but the filters take {inputs}: "
            f"{left} and {right}",
            hint="Check dimension_numbers, which say where the channels stand, or make the filters "
            "for that many channels.",
        )


def convolution(strides: str = "window_strides") -> AbstractRule:
    """`conv_general_dilated`: batch and channels, and the positions of the window.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"lhs": parse_aval("f32[8,3,9,9]"), "rhs": parse_aval("f32[4,3,3,3]")}
    >>> options = {"window_strides": (2, 2), "padding": "VALID", "dimension_numbers": None}
    >>> print(convolution()({**given, **options}))
    f32[8,4,4,4]
    """

    def rule(arguments: Arguments) -> ShapedArray:
        left, right = (operands.array(each) for each in operands.positional(arguments, 2))
        dtype, weak_type = product_type((left, right), arguments)
        rank = len(left.shape or ())
        letters = _letters(arguments.get("dimension_numbers"), rank) if rank > 2 else None
        if left.shape is None or right.shape is None or letters is None or rank != len(right.shape):
            return ShapedArray(None, dtype, None)
        groups = arguments.get("batch_group_count", 1)
        _check_operands(left, right)
        sizes = dict(zip(letters[0], left.shape, strict=True))
        window = dict(zip(letters[1], right.shape, strict=True))
        _check_channels(left, right, sizes["C"], window["I"], arguments)
        spatial = [letter for letter in letters[1] if letter not in "OI"]
        known = {"N": sizes["N"] if groups == 1 else UNKNOWN_DIM, "C": window["O"]}
        options = [
            _option(arguments, name, rank - 2)
            for name in (strides, "padding", "lhs_dilation", "rhs_dilation")
        ]
        for letter, stride, padding, grow, spread in zip(spatial, *options, strict=True):
            size, width = _dilated(sizes[letter], grow), _dilated(window[letter], spread)
            known[letter] = _windows(size, width, stride, padding)
        shape: Shape = tuple(known[letter] for letter in letters[2])
        return ShapedArray(shape, dtype, None if weak_type else weak_type)

    return rule


def index(arguments: Arguments) -> ShapedArray:
    """`axis_index`: one integer of 32 bits.

    >>> print(index({"axis_name": "i"}))
    i32[]
    """
    return ShapedArray((), dtypes.int32)
