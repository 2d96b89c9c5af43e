"""Convolutions: windows that slide over the spatial axes of images."""

from typing import Any, Final

from oakum.abstract import operands
from oakum.abstract.contraction import product_type
from oakum.abstract.elementwise import ANYTHING, exact
from oakum.abstract.operands import Arguments
from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import ANY_ARRAY, UNKNOWN_DIM, Dim, Shape, ShapedArray
from oakum.values.facts import AbstractRule


def _items(value: object, count: int) -> list[Any] | None:
    """Returns the items of a sequence that is known and of this length."""
    items = operands.items(value)
    return items if items is not None and len(items) == count else None


def _letters(value: object, rank: int) -> tuple[str, str, str] | None:
    """Returns the letters of the axes of images, filters and results; channels first by default."""
    spatial = "0123456789"[: rank - 2]
    if value is None:
        return "NC" + spatial, "OI" + spatial, "NC" + spatial
    match _items(value, 3):
        case [str(image), str(window), str(result)]:
            fits = len(image) == len(window) == len(result) == rank
            spaces = [set(image) - set("NC"), set(window) - set("OI"), set(result) - set("NC")]
            fits = fits and spaces[0] == spaces[1] == spaces[2] and len(spaces[0]) == rank - 2
            fits = fits and {"N", "C"} <= {*image} & {*result} and {"O", "I"} <= {*window}
            return (image, window, result) if fits else None
        case _:
            return None


def _step(value: object) -> Dim:
    """Returns a stride or a dilation, 1 where there is none."""
    step = 1 if value is None else operands.dim(value)
    if isinstance(step, int) and step < 1:
        raise ShapeError(f"all strides and dilations of a convolution must be positive, got {step}")
    return step


def _dilate(size: Dim, dilation: object) -> Dim:
    factor = _step(dilation)
    return size if factor == 1 else dims.add(dims.mul(dims.sub(size, 1), factor), 1)


def window_count(size: Dim, window: Dim, stride: object, padding: object) -> Dim:
    """Returns the number of positions of a window along one axis."""
    step = _step(stride)
    match padding:
        case "SAME" | "SAME_LOWER":
            return dims.floordiv(dims.sub(dims.add(size, step), 1), step)
        case "VALID":
            whole = size
        case _ if (pair := _items(padding, 2)) is not None:
            low, high = pair
            whole = dims.add(size, dims.add(operands.dim(low), operands.dim(high)))
        case _:
            return UNKNOWN_DIM
    free = dims.sub(whole, window)
    places = free if step == 1 else dims.floordiv(free, step)
    return dims.add(places, 1)


def _option(arguments: Arguments, name: str, count: int) -> list[Any]:
    """Returns an option with an entry for each spatial axis; unknown entries if it is not known."""
    value = arguments.get(name)
    if value is None or isinstance(value, str):
        return [value] * count
    return _items(value, count) or [UNKNOWN_DIM] * count


IMAGES: Final = exact(ANYTHING).named("conv_general_dilated")
"""The images and the filters of a convolution."""


def _check_channels(
    left: ShapedArray, right: ShapedArray, channels: Dim, inputs: Dim, arguments: Arguments
) -> None:
    groups = operands.dim(arguments.get("feature_group_count", 1))
    each = dims.floordiv(channels, groups)
    if dims.equal(each, inputs) is False:
        shared = f" in {groups} groups" if groups != 1 else ""
        raise ShapeError(
            f"the images {left} have {channels} channels{shared}, and the filters {right} take "
            f"{inputs}",
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
        if None not in (left.ndim, right.ndim) and left.ndim != right.ndim:
            raise ShapeError(
                "conv_general_dilated lhs and rhs must have the same number of dimensions, "
                f"got {left.ndim} and {right.ndim}",
                hint="Give filters with as many axes as the images have.",
            )
        if left.shape is None or right.shape is None or letters is None:
            return ShapedArray(None, dtype, None)
        groups = arguments.get("batch_group_count", 1)
        IMAGES.typing_of([left, right])
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
            size, width = _dilate(sizes[letter], grow), _dilate(window[letter], spread)
            known[letter] = window_count(size, width, stride, padding)
        shape: Shape = tuple(known[letter] for letter in letters[2])
        return ShapedArray(shape, dtype, None if weak_type else weak_type)

    return rule


def signals(arguments: Arguments) -> ShapedArray:
    """`scipy.signal.convolve`, `correlate`: an array of unknown shape."""
    left, right = (operands.array(each) for each in operands.positional(arguments, 2))
    if None not in (left.ndim, right.ndim) and left.ndim != right.ndim:
        raise ShapeError(
            "in1 and in2 must have the same number of dimensions",
            detail=f"Got {left} and {right}",
            hint="Add axes of length one, or index one of the signals.",
        )
    return ANY_ARRAY
