"""Convolutions whose images and filters are copied to scratch memory first: images with their
padding and the gaps of dilated ones, features side by side; filters with theirs side by side.

So a convolution becomes a product like any other, of which all accesses are of 16 bytes where the
numbers of features allow it. A copy is one more pass over the images; on an H200 a padded
convolution of 32 images of 64 features, by nests, took 170 times as long as cuDNN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
    Instruction,
    Load,
    Nest,
    Operation,
    Position,
    Store,
    Sweep,
)
from oakum.compile.plan.steps import ContractionStep
from oakum.compile.problems.contraction import Axis, Contraction, Convolution, Window, row_major
from oakum.dtypes import DType, Kind
from oakum.values.records import dataclass, replace

_ALIGNMENT: Final = 256
"""The bytes that a part of scratch memory begins at a multiple of."""

_INDEX: Final = dtypes.int64


@dataclass(frozen=True, slots=True)
class RelaidConvolution:
    """A convolution, and its product of copied operands."""

    given: Convolution
    product: Contraction
    images: tuple[int, ...]
    """The extents of the copied images: parts, groups, items, spatial axes, features."""
    filters: tuple[int, ...]
    """The extents of the copied filters: parts, groups, spatial axes, features, columns."""

    @property
    def _first_filter(self) -> int:
        return _whole(math.prod(self.images) * self.given.lhs.itemsize)

    @property
    def nbytes(self) -> int:
        """The bytes of both copies."""
        return self._first_filter + _whole(math.prod(self.filters) * self.given.rhs.itemsize)

    @property
    def offsets(self) -> tuple[int, int]:
        """The first elements of the copies in scratch memory."""
        return 0, self._first_filter // self.given.rhs.itemsize

    def operands(self, scratch: Buffer) -> tuple[Buffer, Buffer]:
        """Returns scratch memory as buffers of the copies."""
        first, second = self.given.lhs, self.given.rhs
        return (
            Buffer(scratch.number, first, self.nbytes // first.itemsize, "temporary"),
            Buffer(scratch.number, second, self.nbytes // second.itemsize, "temporary"),
        )

    def nests(self, step: ContractionStep) -> list[Nest]:
        """Returns the nests that copy."""
        images, filters = self.operands(step.scratch)
        return [self._copy_images(step, images), self._copy_filters(step, filters)]

    def _copy_images(self, step: ContractionStep, to: Buffer) -> Nest:
        given = self.given
        windows = range(3, 3 + len(given.windows))
        steps = [given.parts.lhs, given.groups.lhs, given.items.lhs]
        steps += [0] * len(windows) + [given.features.lhs]
        code: list[Instruction] = []
        place, conditions, dynamic = _sum(steps) + step.offsets[0], list[int](), list[int]()
        for axis, window in zip(windows, given.windows, strict=True):
            if window.is_inside:
                place += Affine.axis(axis) * window.lhs + -window.low * window.lhs
                continue
            inside, at = place_in_images(code, Affine.axis(axis), window)
            conditions.append(inside)
            dynamic.append(at)
        valid = fold(code, "and", dtypes.bool_, conditions)
        code.append(Load(step.lhs, place, fold(code, "add", _INDEX, dynamic)))
        value = len(code) - 1
        if valid is not None:
            dtype = given.lhs
            code.append(Constant(0.0 if dtype.kind is Kind.FLOAT else 0, dtype))
            code.append(Operation("select", (valid, value, len(code) - 1), dtype))
        store = Store(to, _sum(row_major(self.images)), len(code) - 1)
        return _nest(self.images, code, store)

    def _copy_filters(self, step: ContractionStep, to: Buffer) -> Nest:
        given = self.given
        steps = [given.parts.rhs, given.groups.rhs, *[w.rhs for w in given.windows]]
        steps += [given.features.rhs, given.columns.rhs]
        load = Load(step.rhs, _sum(steps) + step.offsets[1])
        place = _sum(row_major(self.filters)) + self.offsets[1]
        return _nest(self.filters, [load], Store(to, place, 0))


def relay(problem: Convolution) -> RelaidConvolution | None:
    """Returns a convolution of copied operands; None for a phase of a dilated one."""
    if any(window.phases > 1 for window in problem.windows):
        return None
    spatial = [window.extent for window in problem.windows]
    taps = [window.taps for window in problem.windows]
    before = problem.parts.extent, problem.groups.extent
    images = (*before, problem.items.extent, *spatial, problem.features.extent)
    filters = (*before, *taps, problem.features.extent, problem.columns.extent)
    mine, theirs = row_major(images), row_major(filters)
    windows = tuple(
        replace(window, size=window.extent, low=0, spread=1, lhs=mine[3 + n], rhs=theirs[2 + n])
        for n, window in enumerate(problem.windows)
    )
    moved = replace(
        problem,
        parts=_moved(problem.parts, mine[0], theirs[0]),
        groups=_moved(problem.groups, mine[1], theirs[1]),
        items=_moved(problem.items, mine[2], 0),
        windows=windows,
        features=_moved(problem.features, mine[-1], theirs[-2]),
        columns=_moved(problem.columns, 0, theirs[-1]),
    )
    return RelaidConvolution(problem, moved.contraction(), images, filters)


def _moved(axis: Axis, lhs: int, rhs: int) -> Axis:
    return replace(axis, lhs=lhs, rhs=rhs)


def place_in_images(code: list[Instruction], padded: Affine, window: Window) -> tuple[int, int]:
    """Adds whether a position along an axis of the padded images is one of the images, and how far
    it is in them: of the nearest where it is none.
    """

    def add(each: Instruction) -> int:
        code.append(each)
        return len(code) - 1

    def operation(name: str, *operands: int, dtype: DType = _INDEX) -> int:
        return add(Operation(name, operands, dtype))

    at = add(Position(padded + -window.low, _INDEX))
    zero = add(Constant(0, _INDEX))
    last = add(Constant((window.size - 1) * window.spread, _INDEX))
    above = operation("ge", at, zero, dtype=dtypes.bool_)
    below = operation("le", at, last, dtype=dtypes.bool_)
    inside = operation("and", above, below, dtype=dtypes.bool_)
    near = operation("min", operation("max", at, zero), last)
    if window.spread > 1:  # Between the elements of dilated images there are zeros.
        spread = add(Constant(window.spread, _INDEX))
        rest = operation("rem", near, spread)
        whole = operation("eq", rest, zero, dtype=dtypes.bool_)
        inside = operation("and", inside, whole, dtype=dtypes.bool_)
        near = operation("div", near, spread)
    return inside, operation("mul", near, add(Constant(window.lhs, _INDEX)))


def fold(code: list[Instruction], name: str, dtype: DType, registers: Sequence[int]) -> int | None:
    """Adds an operation on all of some registers; None where there are none."""
    if not registers:
        return None
    found, *more = registers
    for each in more:
        code.append(Operation(name, (found, each), dtype))
        found = len(code) - 1
    return found


def _sum(steps: Sequence[int]) -> Affine:
    return Affine(tuple((axis, step) for axis, step in enumerate(steps) if step))


def _nest(extents: tuple[int, ...], code: Sequence[Instruction], store: Store) -> Nest:
    return Nest(extents, tuple(range(len(extents))), (Sweep((), tuple(code), (store,)),))


def _whole(nbytes: int) -> int:
    return -(-nbytes // _ALIGNMENT) * _ALIGNMENT
