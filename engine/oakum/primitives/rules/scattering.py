"""The lowering of `scatter` and its kin: the operand, then windows of updates at many positions.

The elements of the updates are taken with the axes of the batch first, so that windows come one
after another in the order of the batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum.dtypes import DType, bool_
from oakum.lax.options import GatherScatterMode, ScatterDimensionNumbers
from oakum.primitives.rules import arguments
from oakum.primitives.rules.arguments import Sizes
from oakum.primitives.rules.lowering import Builder, Combine, Element, Joined, Part, Position
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass


def window_axes(rank: int, numbers: ScatterDimensionNumbers) -> list[int]:
    """Returns the axes of the operand that the windows in the updates have."""
    dropped = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    return [axis for axis in range(rank) if axis not in dropped]


def window_sizes(rank: int, numbers: ScatterDimensionNumbers, updates: Sizes) -> Sizes:
    """Returns the size of a window along each axis of the operand."""
    sizes = [1] * rank
    for axis, d in zip(window_axes(rank, numbers), numbers.update_window_dims, strict=True):
        sizes[axis] = updates[d]
    return tuple(sizes)


def combined_by(name: str) -> Combine:
    """Returns what combines single elements by an operation."""

    def combine(
        builder: Builder, dtype: DType, there: Sequence[Any], elements: Sequence[Any]
    ) -> Sequence[Any]:
        return [builder.operation(name, dtype, *each) for each in zip(there, elements, strict=True)]

    return combine


def scattered(combine: Combine | None, width: int = 1) -> Joined:
    """Writes the updates: they replace what is there, or are combined with it, as many along the
    last axis together as `width` says.
    """

    def parts(
        shape: Sizes,
        operands: Sequence[Sizes],
        *,
        dimension_numbers: ScatterDimensionNumbers,
        mode: GatherScatterMode,
        **_: object,
    ) -> list[Part]:
        whole = Part(0, shape, _same, _same)
        windows = _Windows(shape, operands[2], dimension_numbers)
        if not windows.fit:
            return [whole]
        drops = mode is not GatherScatterMode.CLIP
        return [whole, windows.part(combine, width, drops=drops)]

    return Joined(parts, _applies)


def _applies(*avals: ShapedArray, update_jaxpr: object, **_: object) -> bool:
    return update_jaxpr is None


def _same(position: Position) -> Position:
    return position


@dataclass(frozen=True, slots=True)
class _Windows:
    """The positions of windows of updates in an operand of a shape."""

    shape: Sizes
    updates: Sizes
    numbers: ScatterDimensionNumbers

    @property
    def batch(self) -> Sizes:
        """The axes of the updates that count windows."""
        window = self.numbers.update_window_dims
        return tuple(d for d in range(len(self.updates)) if d not in window)

    @property
    def order(self) -> Sizes:
        """The axes of the updates, those of the batch first."""
        return (*self.batch, *self.numbers.update_window_dims)

    @property
    def columns(self) -> list[tuple[int, int, int]]:
        """For each column of the indices its number, its axis and the last position there."""
        sizes = window_sizes(len(self.shape), self.numbers, self.updates)
        axes = self.numbers.scatter_dims_to_operand_dims
        return [(n, axis, self.shape[axis] - sizes[axis]) for n, axis in enumerate(axes)]

    @property
    def fit(self) -> bool:
        """Whether any window lies within the operand."""
        return all(room >= 0 for *_, room in self.columns)

    def part(self, combine: Combine | None, width: int, *, drops: bool) -> Part:
        """Returns the part of the result that the updates are."""
        apart = self.numbers.scatter_indices_batching_dims
        together = [self.updates[d] for n, d in enumerate(self.batch) if n not in apart]
        shape = tuple(self.updates[d] for d in self.order)
        if width > 1:
            shape = (*shape[:-1], shape[-1] // width)
        return Part(
            2,
            shape,
            self._source,
            self._target,
            self._starts,
            over=True,
            combine=combine,
            width=width,
            valid=self._inside if drops and self.columns else None,
            ordered=math.prod(together) > 1,
        )

    def _source(self, position: Position) -> Position:
        place = dict(zip(self.order, position, strict=True))
        return tuple(place[d] for d in range(len(position)))

    def _target(self, position: Position) -> Position:
        """Returns the place in the operand, were all windows at its beginning."""
        numbers, rank = self.numbers, len(self.shape)
        place: list[Any] = [0] * rank
        for axis, at in zip(window_axes(rank, numbers), position[len(self.batch) :], strict=True):
            place[axis] = at
        along = numbers.scatter_indices_batching_dims
        for axis, n in zip(numbers.operand_batching_dims, along, strict=True):
            place[axis] = position[n]
        return tuple(place)

    def _index(self, builder: Builder, position: Position, indices: Element, column: int) -> Any:
        found = indices((*position[: len(self.batch)], column))
        return arguments.position(builder, found, indices.dtype)

    def _starts(
        self,
        builder: Builder,
        position: Position,
        operand: Element,
        indices: Element,
        updates: Element,
    ) -> Position:
        found: list[Any] = [None] * len(self.shape)
        for column, axis, room in self.columns:
            if room:
                at = self._index(builder, position, indices, column)
                found[axis] = arguments.moved_inside(builder, at, room)
        return tuple(found)

    def _inside(
        self,
        builder: Builder,
        position: Position,
        operand: Element,
        indices: Element,
        updates: Element,
    ) -> Any:
        found: Any = None
        for column, _, room in self.columns:
            at = self._index(builder, position, indices, column)
            inside = arguments.inside(builder, at, room)
            found = inside if found is None else builder.operation("and", bool_, found, inside)
        return found
