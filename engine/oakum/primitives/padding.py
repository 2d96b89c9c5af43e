"""`pad`: elements put at the ends of axes and between elements, or taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract import padding
from oakum.primitives.rules.arguments import Sizes, dtype_of, inserted, shape_of
from oakum.primitives.rules.batching import move_to_front
from oakum.primitives.rules.derivatives import is_undefined, zeros
from oakum.primitives.rules.lowering import Joined, Part, Position
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray

Config = tuple[tuple[int, int, int], ...]
"""For each axis the elements put before, after and between; negative numbers take away."""


def _pad_abstract(
    operand: ShapedArray, padding_value: ShapedArray, *, padding_config: Config
) -> ShapedArray:
    given = {"operand": operand, "padding_value": padding_value}
    padded = padding.lax_pad({**given, "padding_config": padding_config})
    return padded.update(weak_type=bool(operand.weak_type and padding_value.weak_type))


def _padded_shape(shape: Sizes, config: Config) -> Sizes:
    pairs = zip(shape, config, strict=True)
    return tuple(low + high + _spread(size, between) for size, (low, high, between) in pairs)


def _spread(size: int, between: int) -> int:
    """Returns the length of an axis with elements put between."""
    return size + (size - 1) * between if size else 0


def _pad(xp: ModuleType, x: host.Array, value: object, *, padding_config: Config) -> Any:
    shape = _padded_shape(x.shape, padding_config)
    result = xp.full(shape, value, x.dtype)
    spots = [_spots(*each) for each in zip(x.shape, shape, padding_config, strict=True)]
    result[tuple(target for target, _ in spots)] = x[tuple(source for _, source in spots)]
    return result


def _spots(size: int, padded: int, config: tuple[int, int, int]) -> tuple[slice, slice]:
    """Returns the slice of the padded axis that holds elements, and the slice of these elements."""
    low, _, between = config
    step = between + 1
    first = -(low // step) if low < 0 else 0
    stop = max(min(size, (padded - low + step - 1) // step), first)
    if stop == first:
        return slice(0, 0), slice(0, 0)
    start = low + first * step
    return slice(start, start + (stop - first - 1) * step + 1, step), slice(first, stop)


def _pad_transpose(
    cotangent: ArrayLike, operand: object, padding_value: object, *, padding_config: Config
) -> list[Any]:
    zero = zeros(ShapedArray((), dtype_of(cotangent)))
    inner = _unpadded(cotangent, zero, padding_config)
    rest = None
    if is_undefined(padding_value):
        every = tuple(range(len(padding_config)))
        rest = lax.sub(lax.reduce_sum(cotangent, every), lax.reduce_sum(inner, every))
    return [inner if is_undefined(operand) else None, rest]


def _unpadded(padded: ArrayLike, zero: ArrayLike, config: Config) -> Any:
    """Returns the elements that padding kept; zeros for those that it took away."""
    whole = lax.pad(padded, zero, [(-low, -high, 0) for low, high, _ in config])
    shape = shape_of(whole)
    return lax.slice(whole, (0,) * len(shape), shape, tuple(between + 1 for *_, between in config))


def _pad_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], *, padding_config: Config
) -> tuple[Any, int]:
    operand, value = operands
    if dims[1] is None and dims[0] is not None:
        return lax.pad(operand, value, inserted(padding_config, dims[0], (0, 0, 0))), dims[0]
    operand = move_to_front(operand, dims[0], axis.size)
    config = ((0, 0, 0), *padding_config)
    shape = shape_of(operand)
    padded = lax.pad(operand, zeros(ShapedArray((), dtype_of(operand))), config)
    inside = lax.pad(lax.full(shape, True, bool), False, config)
    values = lax.broadcast_in_dim(value, shape_of(padded), (0,))
    return lax.select(inside, padded, values), 0


def _parts(shape: Sizes, operands: Sequence[Sizes], *, padding_config: Config) -> list[Part]:
    """Returns the filler, then the operand where it is not cut off: beside each other if nothing is
    put between elements, or else the one over the other.
    """
    firsts: list[int] = []
    sizes: list[int] = []
    for size, (low, high, between) in zip(operands[0], padding_config, strict=True):
        step = between + 1
        first = -(low // step) if low < 0 else 0
        spread = (size - 1) * step + 1 if size else 0
        padded = spread + low + high
        last = min(size, -(-(padded - low) // step)) if padded > 0 else 0
        firsts.append(first)
        sizes.append(max(last - first, 0))

    def source(position: Position) -> Position:
        return tuple(p + first for p, first in zip(position, firsts, strict=True))

    def target(position: Position) -> Position:
        return tuple(
            (p + first) * (between + 1) + low
            for p, first, (low, _, between) in zip(position, firsts, padding_config, strict=True)
        )

    if 0 in sizes:
        return [_filler((0,) * len(shape), shape)]
    if any(between for *_, between in padding_config):
        over = Part(0, tuple(sizes), source, target, over=True)
        return [_filler((0,) * len(shape), shape), over]
    inner = Part(0, tuple(sizes), source, target)
    starts = tuple(low + first for first, (low, *_) in zip(firsts, padding_config, strict=True))
    return [*(_filler(*box) for box in _around(shape, starts, sizes)), inner]


def _filler(starts: Sizes, sizes: Sizes) -> Part:
    """Returns a box of fillers."""

    def target(position: Position) -> Position:
        return tuple(p + start for p, start in zip(position, starts, strict=True))

    return Part(1, sizes, lambda position: (), target)


def _around(shape: Sizes, starts: Sizes, sizes: Sequence[int]) -> Iterator[tuple[Sizes, Sizes]]:
    """Boxes around a box within a shape: where they begin, and how large they are.

    >>> list(_around((5, 3), (1, 0), (4, 2)))
    [((0, 0), (1, 3)), ((1, 2), (4, 1))]
    """
    rank = len(shape)
    for axis, (whole, start, size) in enumerate(zip(shape, starts, sizes, strict=True)):
        end = start + size
        for begin, length in ((0, start), (end, whole - end)):
            if length:
                first = (*starts[:axis], begin, *(0,) * (rank - axis - 1))
                yield first, (*sizes[:axis], length, *shape[axis + 1 :])


pad_p = Primitive(
    "pad",
    lower=Joined(_parts),
    abstract=_pad_abstract,
    evaluate=_pad,
    linear=True,
    transpose=_pad_transpose,
    batch=_pad_batch,
    exact=True,
)
