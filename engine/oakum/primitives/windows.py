"""Computes on the host where the windows of gathers and scatters lie in their operand.

Invariants:
- Elements of the operand are numbered in the order of its axes, as in its flat form.
- A batch of windows has the axes of the batch first, then those axes of the operand that windows
  keep, in order.
"""

from __future__ import annotations

import functools
import math
from typing import Any

from oakum.primitives.rules.arguments import Sizes
from oakum.values import host

Pairs = tuple[tuple[int, int], ...]
"""Axes of the operand, each with the axis of the batch that it goes together with."""


class Layout:
    """The index-independent part: windows of one size in an operand of one shape."""

    __slots__ = ("along", "axis", "highest", "room", "row", "shape", "sizes", "steps", "strides")

    def __init__(
        self, shape: Sizes, sizes: Sizes, index_map: Sizes, batching: Pairs, batch: Sizes
    ) -> None:
        np = host.np
        self.shape = shape
        self.sizes = sizes
        self.strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        room = [shape[axis] - sizes[axis] for axis in index_map]
        self.room = np.array(room, np.intp)
        """For each column of the indices, the last position within the operand."""
        self.highest = np.array([max(each, 0) for each in room], np.intp)
        self.steps = [self.strides[axis] for axis in index_map]
        self.along = self._along(batching, batch)
        """Where the part of the operand begins that goes together with a place in the batch."""
        self.row = self._row()
        """The number of elements of a window, where windows are rows of the operand."""
        cut = [axis for axis, size in enumerate(sizes) if size != shape[axis]]
        single = len(cut) == 1 and list(index_map) == cut and sizes[cut[0]] == 1 and not batching
        self.axis = cut[0] if single else None
        """The axis, where windows hold one index of one axis and all of the others."""

    def _along(self, batching: Pairs, batch: Sizes) -> Any:
        result: Any = 0
        for axis, place in batching:
            count = [1] * len(batch)
            count[place] = batch[place]
            result = result + host.np.arange(batch[place]).reshape(count) * self.strides[axis]
        return result

    def _row(self) -> int | None:
        rank = len(self.shape)
        begin = rank
        while begin and self.sizes[begin - 1] == self.shape[begin - 1]:
            begin -= 1
        length = math.prod(self.shape[begin:])
        one_each = all(size == 1 for size in self.sizes[:begin])
        return length if one_each and length else None

    def inside(self, at: host.Array) -> Any:
        """For each window of a batch, whether it lies within the operand."""
        return ((at >= 0) & (at <= self.room)).all(-1)

    def moved_inside(self, at: object) -> Any:
        """Returns the positions, moved so that windows lie within the operand."""
        np = host.np
        return np.minimum(np.maximum(at, 0), self.highest)

    def first(self, at: host.Array) -> Any:
        """Returns the number of the first element of each window."""
        batch = at.shape[:-1]
        result: Any = self.along
        for column, step in enumerate(self.steps):
            result = result + at[..., column] * step
        return host.np.broadcast_to(result, batch)

    def elements(self, first: host.Array) -> Any:
        """Returns the numbers of all elements of windows, with one axis for those of a window."""
        np = host.np
        offsets: Any = np.zeros(1, np.intp)
        for size, stride in zip(self.sizes, self.strides, strict=True):
            offsets = (offsets[:, None] + np.arange(size) * stride).reshape(-1)
        return first[..., None] + offsets


layout = functools.lru_cache(maxsize=512)(Layout)
"""The layout of windows, remembered."""


def positions(indices: host.Array) -> Any:
    """Indices in the host's integer type for positions."""
    np = host.np
    if indices.dtype == np.uint64:
        indices = np.minimum(indices, np.uint64(np.iinfo(np.intp).max))
    return indices.astype(np.intp)


def take(x: host.Array, where: Layout, at: host.Array, window: Sizes) -> Any:
    """Returns the elements of windows that lie within an array; `window` is the shape of one."""
    batch = at.shape[:-1]
    if where.axis is not None and not (where.row and x.flags.c_contiguous):
        axis, rank = where.axis, len(batch)
        taken = x.take(at[..., 0], axis=axis)
        order = (*range(axis, axis + rank), *range(axis), *range(axis + rank, taken.ndim))
        return taken.transpose(order).reshape(batch + window)
    first = where.first(at)
    if where.row:
        return x.reshape(-1, where.row).take(first // where.row, axis=0).reshape(batch + window)
    return x.reshape(-1).take(where.elements(first)).reshape(batch + window)
