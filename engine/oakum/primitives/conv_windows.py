"""Windows that slide over arrays: their shapes, and what they show of an array.

The array is spread by its base dilation and padded, then windows of elements some dilation apart
are taken at every stride.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import product
from types import ModuleType
from typing import Any, TypedDict

from oakum import lax
from oakum.errors import ShapeError
from oakum.primitives.padding import pad_p
from oakum.primitives.rules.arguments import inserted, shape_of
from oakum.primitives.rules.conv_geometry import spread
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.records import dataclass

Sizes = tuple[int, ...]
Padding = tuple[tuple[int, int], ...]


class WindowParams(TypedDict):
    """The parameters of an operation on windows: the fields of `Windows`."""

    window_dimensions: Sizes
    window_strides: Sizes
    padding: Padding
    base_dilation: Sizes
    window_dilation: Sizes


@dataclass(frozen=True, slots=True)
class Windows:
    """Sizes, strides, padding and dilations of windows over an array, by axis."""

    window_dimensions: Sizes
    window_strides: Sizes
    padding: Padding
    base_dilation: Sizes
    window_dilation: Sizes

    def shape(self, shape: Sequence[int]) -> Sizes:
        """Returns the number of windows along each axis of an array."""
        return tuple(
            places(spread(size, base), spread(window, dilation), stride, pads)
            for size, base, window, dilation, stride, pads in zip(
                shape,
                self.base_dilation,
                self.window_dimensions,
                self.window_dilation,
                self.window_strides,
                self.padding,
                strict=True,
            )
        )

    @property
    def padding_config(self) -> tuple[tuple[int, int, int], ...]:
        """The padding of the array, as `lax.pad` takes it."""
        pairs = zip(self.padding, self.base_dilation, strict=True)
        return tuple((low, high, base - 1) for (low, high), base in pairs)

    @property
    def offsets(self) -> Iterator[Sizes]:
        """The places of a window's elements, from its first one."""
        pairs = zip(self.window_dimensions, self.window_dilation, strict=True)
        return product(*(range(0, size * dilation, dilation) for size, dilation in pairs))

    def check(self) -> None:
        """Raises a `ShapeError` where sizes are missing or not positive."""
        for name in ("window_dimensions", "window_strides", "base_dilation", "window_dilation"):
            sizes = getattr(self, name)
            if any(size < 1 for size in sizes):
                raise ShapeError(
                    f"reduce_window {name} must have every element be strictly positive, got "
                    f"{sizes}.",
                    hint="Give sizes of 1 or more.",
                )
            if len(sizes) != len(self.window_dimensions):
                raise ShapeError(
                    f"reduce_window got inconsistent {name} and window_dimensions: got {name} "
                    f"{sizes} and window_dimensions {self.window_dimensions}.",
                    hint="Give an entry for each axis.",
                )

    def within(self, dim: int) -> Windows:
        """Returns the windows over an array into which an axis is put that they do not reach
        across.
        """
        return Windows(
            inserted(self.window_dimensions, dim, 1),
            inserted(self.window_strides, dim, 1),
            (*self.padding[:dim], (0, 0), *self.padding[dim:]),
            inserted(self.base_dilation, dim, 1),
            inserted(self.window_dilation, dim, 1),
        )

    def params(self) -> dict[str, Any]:
        """Returns the windows as parameters of a primitive."""
        return {name: getattr(self, name) for name in self.__slots__}


def places(size: int, window: int, stride: int, padding: tuple[int, int]) -> int:
    """At how many places along a padded axis a window fits."""
    return max((size + sum(padding) - window) // stride + 1, 0)


def shown(xp: ModuleType, operand: host.Array, fill: object, windows: Windows) -> Iterator[Any]:
    """For each element of a window the array of what all windows show there, on the host."""
    shape = windows.shape(operand.shape)
    if 0 in shape:
        for _ in windows.offsets:
            yield xp.empty(shape, operand.dtype)
        return
    padded = pad_p.evaluate(xp, operand, fill, padding_config=windows.padding_config)
    for offset in windows.offsets:
        yield padded[_cut(offset, shape, windows.window_strides)]


def _cut(offset: Sizes, shape: Sizes, strides: Sizes) -> tuple[slice, ...]:
    triples = zip(offset, shape, strides, strict=True)
    return tuple(slice(at, at + (count - 1) * step + 1, step) for at, count, step in triples)


def combine_along(
    xp: ModuleType,
    ufunc: Callable[[Any, Any], Any],
    operand: host.Array,
    fill: host.Array,
    windows: Windows,
) -> Any:
    """Combines the elements of each window by a function of the host, one axis after another."""
    shape = windows.shape(operand.shape)
    if 0 in shape:
        return xp.empty(shape, operand.dtype)
    result = pad_p.evaluate(xp, operand, fill, padding_config=windows.padding_config)
    for axis, count in enumerate(shape):
        stride, dilation = windows.window_strides[axis], windows.window_dilation[axis]
        before = (slice(None),) * axis
        total: Any = None
        for k in range(windows.window_dimensions[axis]):
            start = k * dilation
            part = result[(*before, slice(start, start + (count - 1) * stride + 1, stride))]
            total = part if total is None else ufunc(total, part)
        result = total
    return result


def combine_slices(
    combine: Callable[[Any, Any], Any], operand: ArrayLike, fill: ArrayLike, windows: Windows
) -> Any:
    """Combines the elements of each window as `combine_along` does, by operations."""
    shape = windows.shape(shape_of(operand))
    result = lax.pad(operand, fill, windows.padding_config)
    for axis, count in enumerate(shape):
        stride, dilation = windows.window_strides[axis], windows.window_dilation[axis]
        starts = range(0, windows.window_dimensions[axis] * dilation, dilation)
        length = (count - 1) * stride + 1
        parts = [lax.slice_in_dim(result, at, at + length, stride, axis) for at in starts]
        result = reduce(combine, parts)
    return result


def shown_by_slices(operand: ArrayLike, fill: ArrayLike, windows: Windows) -> list[Any]:
    """For each element of a window the array of what all windows show there, by operations."""
    shape = windows.shape(shape_of(operand))
    padded = lax.pad(operand, fill, windows.padding_config)
    cuts = [_cut(offset, shape, windows.window_strides) for offset in windows.offsets]
    return [
        lax.slice(padded, [c.start for c in cut], [c.stop for c in cut], [c.step for c in cut])
        for cut in cuts
    ]
