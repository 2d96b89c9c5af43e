"""Where the windows of gathers and scatters lie in their operand, computed on the host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oakum.rules.arguments import Sizes


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows of one size at positions given by indices.

    `starts` holds for each axis of the operand where the windows begin on it, as an array that
    broadcasts to the shape of the batch, or None where they all begin at zero.
    """

    shape: Sizes
    sizes: Sizes
    starts: tuple[Any, ...]
    batch: Sizes

    def inside(self, xp: Any) -> Any:
        """For each window, whether it lies within the operand."""
        result = xp.ones(self.batch, bool)
        for start, size, whole in zip(self.starts, self.sizes, self.shape, strict=True):
            if start is not None:
                result &= (start >= 0) & (start <= whole - size)
        return result

    def moved_inside(self, xp: Any) -> Windows:
        """The windows, moved so that they lie within the operand."""
        triples = zip(self.starts, self.sizes, self.shape, strict=True)
        starts = [
            None
            if start is None or size == whole
            else xp.minimum(xp.maximum(start, 0), max(whole - size, 0))
            for start, size, whole in triples
        ]
        return Windows(self.shape, self.sizes, tuple(starts), self.batch)

    def only(self, xp: Any, chosen: Any) -> Windows:
        """Some of the windows, in a batch of one axis."""
        starts = [
            None if start is None else xp.broadcast_to(start, self.batch)[chosen]
            for start in self.starts
        ]
        return Windows(self.shape, self.sizes, tuple(starts), (int(chosen.sum()),))

    def cut_axes(self) -> list[int]:
        """The axes of the operand of which windows take a part."""
        whole = [
            start is None and size == length
            for start, size, length in zip(self.starts, self.sizes, self.shape, strict=True)
        ]
        return [axis for axis, takes_all in enumerate(whole) if not takes_all]

    def positions(self, xp: Any) -> tuple[Any, ...]:
        """Index arrays for the axes that windows cut.

        They broadcast to the batch, followed by an axis for each of these axes that windows take
        more or less than one element of: see `wide_axes`.
        """
        wide = self.wide_axes()
        result: list[Any] = []
        for axis in self.cut_axes():
            start: Any = self.starts[axis]
            at = xp.zeros((1,) * len(self.batch), xp.intp) if start is None else start
            at = at.reshape(at.shape + (1,) * len(wide))
            if axis in wide:
                along = [1] * len(wide)
                along[wide.index(axis)] = self.sizes[axis]
                at = at + xp.arange(self.sizes[axis]).reshape(along)
            result.append(at)
        return tuple(result)

    def wide_axes(self) -> list[int]:
        """The cut axes of which windows do not take just one element."""
        return [axis for axis in self.cut_axes() if self.sizes[axis] != 1]


def read(
    xp: Any,
    indices: Any,
    shape: Sizes,
    sizes: Sizes,
    index_map: Sizes,
    batching: Sequence[tuple[int, int]],
) -> Windows:
    """The windows of an array of indices, whose last axis holds a position on `index_map`.

    `batching` pairs axes of the operand with axes of the indices over which they go together.
    """
    batch = tuple(indices.shape[:-1])
    starts: list[Any] = [None] * len(shape)
    for column, axis in enumerate(index_map):
        starts[axis] = _positions(xp, indices[..., column])
    for axis, along in batching:
        count = [1] * len(batch)
        count[along] = batch[along]
        starts[axis] = xp.arange(batch[along]).reshape(count)
    return Windows(tuple(shape), tuple(sizes), tuple(starts), batch)


def _positions(xp: Any, column: Any) -> Any:
    if column.dtype == xp.uint64:
        column = xp.minimum(column, xp.uint64(xp.iinfo(xp.intp).max))
    return column.astype(xp.intp)
