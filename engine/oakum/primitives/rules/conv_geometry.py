"""The geometry of convolutions: what axes mean, padding by name, and shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex, cast

from oakum.errors import PaddingNameError, ShapeError
from oakum.lax.options import ConvDimensionNumbers
from oakum.primitives.rules.arguments import integer

Sizes = tuple[int, ...]
Pads = list[tuple[int, int]]


def spread(size: int, dilation: int) -> int:
    """Returns the length of elements that stand some dilation apart.

    >>> spread(3, 2), spread(0, 2)
    (5, 0)
    """
    return (size - 1) * dilation + 1 if size else 0


def check_steps(name: str, steps: Sequence[int]) -> None:
    """Refuses strides and dilations that are not positive."""
    if any(step < 1 for step in steps):
        raise ShapeError(
            f"All {name} must be positive, got {tuple(steps)}.", hint="Give steps of 1 or more."
        )


def spread_all(sizes: Sequence[int], dilations: Sequence[int]) -> Sizes:
    """Returns the lengths of axes of which the elements stand some dilation apart."""
    check_steps("dilations", dilations)
    return tuple(map(spread, sizes, dilations))


def named_padding(
    shape: Sequence[int], window: Sequence[int], strides: Sequence[int], padding: object
) -> Pads:
    """Returns the padding that "SAME", "SAME_LOWER" or "VALID" stands for.

    >>> named_padding((5, 4), (3, 2), (1, 1), "SAME")
    [(1, 1), (0, 1)]
    """
    name = str(getattr(padding, "name", padding)).upper()
    if name == "VALID":
        return [(0, 0)] * len(shape)
    if name not in ("SAME", "SAME_LOWER"):
        raise PaddingNameError(
            f"Unrecognized padding type: expected 'VALID', 'SAME', or 'SAME_LOWER', got {padding}.",
            hint="Give one of these names, or (low, high) pairs.",
        )
    check_steps("strides of a window", strides)
    pads: Pads = []
    for size, length, stride in zip(shape, window, strides, strict=True):
        total = max((-(-size // stride) - 1) * stride + length - size, 0)
        less, more = total // 2, total - total // 2
        low, high = (less, more) if name == "SAME" else (more, less)
        pads.append((int(low), int(high)))
    return pads


def explicit_padding(
    padding: Iterable[tuple[SupportsIndex, SupportsIndex]],
) -> tuple[tuple[int, int], ...]:
    """Returns the pairs of a padding argument that is not a name."""
    try:
        return tuple((integer(low), integer(high)) for low, high in padding)
    except (TypeError, ValueError):
        raise ShapeError(
            "padding argument to conv_general_dilated should be a string or a sequence of (low, "
            f"high) pairs, got {padding}",
            hint="Give a pair for each spatial axis.",
        ) from None


def dimension_numbers(
    lhs: Sequence[int], rhs: Sequence[int], numbers: object
) -> ConvDimensionNumbers:
    """Returns the axes of images, filters and results, in the order batch, feature, spatial.

    >>> dimension_numbers((8, 9, 9, 3), (3, 3, 3, 4), ("NHWC", "HWIO", "NHWC")).rhs_spec
    (3, 2, 0, 1)
    """
    if isinstance(numbers, ConvDimensionNumbers):
        return ConvDimensionNumbers(*(tuple(map(int, spec)) for spec in numbers))
    if len(lhs) != len(rhs):
        raise _unread(
            "conv_general_dilated lhs and rhs must have the same number of dimensions, "
            f"got {len(lhs)} and {len(rhs)}."
        )
    if numbers is None:
        every = tuple(range(len(lhs)))
        return ConvDimensionNumbers(every, every, every)
    if not isinstance(numbers, (list, tuple)):
        raise _unread(
            f"convolution dimension_numbers must be tuple/list or None, got {type(numbers)}."
        )
    specs: list[Any] = [*cast("Sequence[Any]", numbers)]
    if len(specs) != 3:
        raise _unread(
            f"convolution dimension_numbers list/tuple must be length 3, got {len(specs)}."
        )
    if not all(isinstance(spec, str) for spec in specs):
        kinds = tuple(map(type, specs))
        raise _unread(f"convolution dimension_numbers elements must be strings, got {kinds}.")
    for i, spec in enumerate(specs):
        if len(spec) != len(lhs):
            raise _unread(
                f"convolution dimension_numbers[{i}] must have len equal to the ndim of lhs and "
                f"rhs, got {len(spec)} for lhs and rhs shapes {tuple(lhs)} and {tuple(rhs)}."
            )
    return ConvDimensionNumbers(*permutations(specs))


def _unread(reason: str) -> ShapeError:
    return ShapeError(reason, hint='Give three strings such as ("NHWC", "HWIO", "NHWC").')


_LETTERS = ("NC", "OI", "NC")


def permutations(specs: Sequence[str]) -> tuple[Sizes, Sizes, Sizes]:
    """For images, filters and results the axes in the order batch, feature, spatial axes."""
    for i, (spec, pair) in enumerate(zip(specs, _LETTERS, strict=True)):
        if any(spec.count(letter) != 1 for letter in pair):
            raise _unread(
                f"convolution dimension_numbers[{i}] must contain the characters '{pair[0]}' and "
                f"'{pair[1]}' exactly once, got {spec}."
            )
        if len(set(spec)) != len(spec):
            raise _unread(
                f"convolution dimension_numbers[{i}] cannot have duplicate characters, got {spec}."
            )
    spatial = [set(spec) - set(pair) for spec, pair in zip(specs, _LETTERS, strict=True)]
    if not spatial[0] == spatial[1] == spatial[2]:
        raise _unread(
            "convolution dimension_numbers elements must each have the same set of spatial "
            f"characters, got {tuple(specs)}."
        )
    order = [letter for letter in specs[1] if letter not in "OI"]
    lhs, rhs, out = (
        tuple(spec.index(letter) for letter in (*pair, *order))
        for spec, pair in zip(specs, _LETTERS, strict=True)
    )
    return lhs, rhs, out


def result_shape(
    lhs: Sequence[int],
    rhs: Sequence[int],
    strides: Sequence[int],
    padding: object,
    batch_group_count: int = 1,
) -> Sizes:
    """Returns the shape of a convolution of (dilated) shapes in the order batch, feature, spatial
    axes.

    >>> result_shape((8, 3, 9, 9), (4, 3, 3, 3), (2, 2), "VALID")
    (8, 4, 4, 4)
    """
    check_steps("strides of a window", strides)
    pads: Any = padding
    if isinstance(padding, str):
        pads = named_padding(lhs[2:], rhs[2:], strides, padding)
    if len(pads) != len(lhs) - 2:
        raise ShapeError(
            f"Wrong number of explicit pads for convolution: expected {len(lhs) - 2}, got "
            f"{len(pads)}.",
            hint="Give a pair for each spatial axis.",
        )
    padded = [size + sum(pair) for size, pair in zip(lhs[2:], pads, strict=True)]
    if any(size < 0 for size in padded):
        raise ShapeError(
            "Negative padding is larger than the size of the corresponding dimension: got "
            f"padding={pads} for lhs_shape[2:]={tuple(lhs[2:])}",
            hint="Take less away.",
        )
    spatial = (
        max((size - window) // stride + 1, 0)
        for size, window, stride in zip(padded, rhs[2:], strides, strict=True)
    )
    return (lhs[0] // batch_group_count, rhs[0], *spatial)


def taken(sizes: Sequence[int], order: Sequence[int]) -> Sizes:
    """Returns the sizes in another order."""
    return tuple(sizes[axis] for axis in order)


def inverse(order: Sequence[int]) -> Sizes:
    """Returns the order that undoes another."""
    return tuple(order.index(axis) for axis in range(len(order)))


def transposed_padding(window: int, stride: int, padding: object) -> tuple[int, int]:
    """Returns the padding of a transposed convolution for that of the convolution that it
    transposes.
    """
    if isinstance(padding, tuple):
        low, high = cast("tuple[int, int]", padding)
        return window - low - 1, window - high - 1
    name = str(padding)
    if name == "SAME":
        total = window + stride - 2
        low = window - 1 if stride > window - 1 else -(-total // 2)
    elif name == "VALID":
        total, low = window + stride - 2 + max(window - stride, 0), window - 1
    else:
        raise ShapeError(f"Invalid padding mode: {padding}", hint='Give "SAME" or "VALID".')
    return low, total - low


def transposed_shape(
    lhs: Sequence[int],
    rhs: Sequence[int],
    strides: Sequence[int],
    padding: object,
    numbers: Sequence[str],
) -> Sizes:
    """Returns the shape of a transposed convolution."""
    lhs_order, rhs_order, out_order = permutations(numbers)
    images, filters = taken(lhs, lhs_order), taken(rhs, rhs_order)
    pads: Any = padding
    if isinstance(padding, str):
        pairs = zip(filters[2:], strides, strict=True)
        pads = [transposed_padding(window, stride, padding) for window, stride in pairs]
    spatial = (
        (size - 1) * stride - window + 2 + sum(pair)
        for size, window, stride, pair in zip(images[2:], filters[2:], strides, pads, strict=True)
    )
    return taken((images[0], filters[0], *spatial), inverse(out_order))


def even_padding(
    images: Sequence[int],
    filters: Sequence[int],
    *,
    window_strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
    dimension_numbers: ConvDimensionNumbers,
    **_: object,
) -> tuple[tuple[int, int], ...]:
    """Returns the padding with which images that are spread give as many places for each element,
    so that places are in as many phases as elements are apart: more than what is asked for, at the
    end.
    """
    lhs_spec, rhs_spec = dimension_numbers[:2]
    found: list[tuple[int, int]] = []
    for number, (low, high) in enumerate(padding):
        apart, taps = lhs_dilation[number], filters[rhs_spec[2 + number]]
        places = spread(images[lhs_spec[2 + number]], apart) + low + high - taps + 1
        plain = window_strides[number] == rhs_dilation[number] == 1 and places > 0
        found.append((low, high + (-places % apart if plain and taps >= apart else 0)))
    return tuple(found)


def lhs_cotangent_padding(
    shape: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    out: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
) -> Pads:
    """Returns the padding of the convolution that returns the cotangent of the images."""
    images, windows = spread_all(shape, lhs_dilation), spread_all(window, rhs_dilation)
    results = spread_all(out, strides)
    low = [length - pad - 1 for length, (pad, _) in zip(windows, padding, strict=True)]
    return [
        (before, image + length - 1 - result - before)
        for before, image, length, result in zip(low, images, windows, results, strict=True)
    ]


def rhs_cotangent_padding(
    shape: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    out: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
) -> Pads:
    """Returns the padding of the convolution that returns the cotangent of the filters."""
    images, windows = spread_all(shape, lhs_dilation), spread_all(window, rhs_dilation)
    results = spread_all(out, strides)
    return [
        (low, result - image + length - low - 1)
        for (low, _), image, length, result in zip(padding, images, windows, results, strict=True)
    ]
