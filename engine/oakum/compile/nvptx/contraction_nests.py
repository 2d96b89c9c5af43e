"""Products as nests: a thread, or a block, sums the products of each element of the result. So are
small ones, and convolutions of padded images; the others are computed by `product_kernels`.
"""

from __future__ import annotations

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
    Reduce,
    Slot,
    Store,
    Sweep,
)
from oakum.compile.nvptx.product_operands import operands_of
from oakum.compile.nvptx.relaid_operands import RelaidConvolution, fold, place_in_images, relay
from oakum.compile.plan.steps import ContractionStep
from oakum.compile.problems.contraction import Axis, Contraction, Window
from oakum.compile.problems.problem import Product
from oakum.dtypes import DType, Kind
from oakum.values.records import dataclass

_INDEX: Final = dtypes.int64

LEAST: Final = 16
"""Smaller products leave more than half of a tile empty. By judgement: nothing is measured."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The product of a step."""

    problem: Contraction
    windows: tuple[Window, ...]
    """The windows of padded images; none where all are inside."""
    offsets: tuple[int, int]
    """The first elements of the operands."""
    copied: RelaidConvolution | None = None
    """The convolution whose operands are copied first."""


def plan(problem: Product, offsets: tuple[int, int] = (0, 0)) -> Planned:
    """Returns the product of a problem whose operands begin at some elements."""
    if isinstance(problem, Contraction):
        return Planned(problem, (), offsets)
    product = problem.contraction()
    if min(product.m, product.n, product.k) >= LEAST:
        wide = all(operand.is_wide for operand in operands_of(product.simplified()))
        copied = None if problem.is_inside and wide else relay(problem)
        if copied is not None:
            return Planned(copied.product, (), copied.offsets, copied)
    if problem.is_inside:
        return Planned(product, (), (offsets[0] + problem.start, offsets[1]))
    return Planned(product, problem.windows, offsets)


def nest_of(step: ContractionStep, planned: Planned, result: Buffer) -> Nest:
    """Returns the nest of a product, into the result or scratch memory."""
    return _Product(step, planned).nest(result)


class _Product:
    """Writes the nest of a product; padded images are read where a window is inside of them."""

    def __init__(self, step: ContractionStep, planned: Planned) -> None:
        problem = planned.problem
        self._step, self._problem, self._windows = step, problem, planned.windows
        self._offsets = planned.offsets
        self._outer = (*problem.batch, *problem.rows, *problem.columns)
        self._axes: tuple[Axis, ...] = (*self._outer, *problem.summed)
        self._code: list[Instruction] = []

    def nest(self, result: Buffer) -> Nest:
        problem, count = self._problem, len(self._outer)
        lhs = self._padded() if self._windows else self._load(self._step.lhs, self._along("lhs", 0))
        rhs = self._load(self._step.rhs, self._along("rhs", 1))
        product = self._add(Operation("mul", (lhs, rhs), problem.accumulator))
        summed = tuple(range(count, len(self._axes)))
        sweep = Sweep(summed, tuple(self._code), (), (Reduce(0, "add", product),))
        tail: list[Instruction] = [Slot(0, problem.accumulator)]
        if problem.result is not problem.accumulator:
            tail.append(Operation("convert_element_type", (0,), problem.result))
        place = _affine(self._axes, [axis.result for axis in self._axes])
        last = Sweep((), tuple(tail), (Store(result, place, len(tail) - 1),))
        extents = tuple(axis.extent for axis in self._axes)
        return Nest(extents, tuple(range(count)), (sweep, last))

    def _along(self, array: str, operand: int) -> Affine:
        steps: list[int] = [getattr(axis, array) for axis in self._axes]
        return _affine(self._axes, steps) + self._offsets[operand]

    def _add(self, each: Instruction) -> int:
        self._code.append(each)
        return len(self._code) - 1

    def _load(self, buffer: Buffer, place: Affine, dynamic: int | None = None) -> int:
        loaded = self._add(Load(buffer, place, dynamic))
        wide = self._problem.accumulator
        if buffer.dtype is wide:
            return loaded
        return self._add(Operation("convert_element_type", (loaded,), wide))

    def _operation(self, name: str, dtype: DType, *operands: int) -> int:
        return self._add(Operation(name, operands, dtype))

    def _padded(self) -> int:
        """An element of the images: read at the nearest place inside, and zero elsewhere."""
        first_place = len(self._problem.batch) + 1
        first_tap = len(self._outer)
        found = list[tuple[int, int]]()
        moved: set[int] = set()
        for number, window in enumerate(self._windows):
            place, tap = first_place + number, first_tap + number
            moved.update((place, tap))
            steps = [0] * len(self._axes)
            steps[place], steps[tap] = window.stride, window.reach
            found.append(place_in_images(self._code, _affine(self._axes, steps), window))
        valid = fold(self._code, "and", dtypes.bool_, [inside for inside, _ in found])
        shift = fold(self._code, "add", _INDEX, [at for _, at in found])
        assert valid is not None
        steps = [0 if n in moved else axis.lhs for n, axis in enumerate(self._axes)]
        images = _affine(self._axes, steps) + self._step.offsets[0]
        loaded = self._load(self._step.lhs, images, shift)
        accumulator = self._problem.accumulator
        zero = self._add(Constant(0.0 if accumulator.kind is Kind.FLOAT else 0, accumulator))
        return self._operation("select", accumulator, valid, loaded, zero)


def _affine(axes: Sequence[Axis], steps: Sequence[int]) -> Affine:
    """Returns the sum of steps along axes of more than one position."""
    pairs = [(n, step) for n, step in enumerate(steps) if step and axes[n].extent > 1]
    return Affine(tuple(pairs))
