"""Contractions: extents, strides and dtypes of a product, for any layout.

Each of the four roles (batch, rows, columns, summed) is a tuple of axes, outermost first. An axis
has a stride in each array, so no layout needs a copy: transposed operands, overlapping windows,
reversed and dilated axes are all strides.

A convolution is a contraction whose rows are the places of the result, and whose summed axes are
those of the window and the features. Overlapping windows are a matter of strides; padding and
dilated images need a copy, band by band.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.values.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: its extent, and its stride in each array."""

    extent: int
    lhs: int = 0
    rhs: int = 0
    result: int = 0


Steps = tuple[tuple[int, int], ...]
"""The axes of one array: pairs of extent and stride."""


@dataclass(frozen=True, slots=True)
class Contraction:
    """`result[b, i, j] = sum of lhs[b, i, p] * rhs[b, p, j] over p`."""

    batch: tuple[Axis, ...]
    rows: tuple[Axis, ...]
    columns: tuple[Axis, ...]
    summed: tuple[Axis, ...]
    lhs: DType
    rhs: DType
    result: DType
    accumulator: DType
    is_rough: bool = False
    """Whether operands of float32 may be rounded to 11 bits, as the precision allows."""

    @property
    def b(self) -> int:
        """The number of products of matrices."""
        return _extent(self.batch)

    @property
    def m(self) -> int:
        """The rows of the first operand."""
        return _extent(self.rows)

    @property
    def n(self) -> int:
        """The columns of the second operand."""
        return _extent(self.columns)

    @property
    def k(self) -> int:
        """The products in each sum."""
        return _extent(self.summed)

    @property
    def is_read_in_rows(self) -> bool:
        """Whether columns are contiguous in the second operand."""
        [*outer, (_, step)] = self.steps("columns", "rhs")
        return not outer and step == 1

    def steps(self, role: str, array: str) -> Steps:
        """Returns the axes of a role in one array, merged as far as possible."""
        axes: tuple[Axis, ...] = getattr(self, role)
        return merged_steps((axis.extent, getattr(axis, array)) for axis in axes)

    def swapped(self) -> Contraction:
        """Returns the transposed contraction: operands exchanged, rows for columns."""
        return replace(
            self,
            batch=_exchange(self.batch),
            rows=_exchange(self.columns),
            columns=_exchange(self.rows),
            summed=_exchange(self.summed),
            lhs=self.rhs,
            rhs=self.lhs,
        )

    def simplified(self) -> Contraction:
        """Returns the contraction with axes merged if every array allows it."""
        return replace(
            self,
            batch=_merge(self.batch),
            rows=_merge(self.rows),
            columns=_merge(self.columns),
            summed=_merge(self.summed),
        )


def accumulator_of(lhs: DType, rhs: DType, result: DType) -> DType | None:
    """Returns the dtype in which products are summed; None if there is none for these operands.

    >>> accumulator_of(dtypes.bfloat16, dtypes.bfloat16, dtypes.bfloat16)
    dtype(float32)
    """
    given = (lhs, rhs, result)
    if not all(dtype in _NATIVE for dtype in given):
        return None
    if all(dtype.kind in (Kind.INT, Kind.UINT) for dtype in given):
        wide = dtypes.int64 if result.bits == 64 else dtypes.int32
        return wide if result.kind is Kind.INT else _UNSIGNED[wide]
    if result.kind is not Kind.FLOAT:
        return None
    exact = any(dtype.kind is not Kind.FLOAT and dtype.bits > 16 for dtype in given)
    double = exact or dtypes.float64 in given
    return dtypes.float64 if double else dtypes.float32


_UNSIGNED = {dtypes.int32: dtypes.uint32, dtypes.int64: dtypes.uint64}

_NATIVE = (
    dtypes.int8,
    dtypes.int16,
    dtypes.int32,
    dtypes.int64,
    dtypes.uint8,
    dtypes.uint16,
    dtypes.uint32,
    dtypes.uint64,
    dtypes.bfloat16,
    dtypes.float16,
    dtypes.float32,
    dtypes.float64,
)


def dot_general(
    lhs: Sequence[int],
    rhs: Sequence[int],
    numbers: tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]],
    kinds: tuple[DType, DType, DType],
    lhs_strides: Sequence[int] | None = None,
    rhs_strides: Sequence[int] | None = None,
) -> Contraction | None:
    """Returns the contraction of `lax.dot_general` for operands of these shapes and strides,
    row-major if none are passed; None if there is no dtype for its sums.
    """
    accumulator = accumulator_of(*kinds)
    if accumulator is None:
        return None
    (contracting, their_contracting), (batch, their_batch) = numbers
    mine = lhs_strides or row_major(lhs)
    theirs = rhs_strides or row_major(rhs)
    kept = [n for n in range(len(lhs)) if n not in (*contracting, *batch)]
    their_kept = [n for n in range(len(rhs)) if n not in (*their_contracting, *their_batch)]
    shape = [*(lhs[n] for n in (*batch, *kept)), *(rhs[n] for n in their_kept)]
    places = row_major(shape)
    first, second = len(batch), len(batch) + len(kept)
    return Contraction(
        tuple(
            Axis(lhs[a], mine[a], theirs[b], place)
            for a, b, place in zip(batch, their_batch, places, strict=False)
        ),
        tuple(Axis(lhs[n], mine[n], 0, places[first + i]) for i, n in enumerate(kept)),
        tuple(Axis(rhs[n], 0, theirs[n], places[second + i]) for i, n in enumerate(their_kept)),
        tuple(
            Axis(lhs[a], mine[a], theirs[b])
            for a, b in zip(contracting, their_contracting, strict=True)
        ),
        *kinds,
        accumulator,
    )


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Returns the strides of a row-major array.

    >>> row_major((2, 3, 4))
    (12, 4, 1)
    """
    return tuple(math.prod(shape[n + 1 :]) for n in range(len(shape)))


def merged_steps(pairs: Iterable[tuple[int, int]]) -> Steps:
    """Merges axes of one array that are contiguous in each other.

    >>> merged_steps([(2, 12), (1, 7), (3, 4), (5, 1)])
    ((6, 4), (5, 1))
    """
    merged: list[tuple[int, int]] = []
    for extent, stride in pairs:
        if extent == 1:
            continue
        if merged and merged[-1][1] == extent * stride:
            merged[-1] = merged[-1][0] * extent, stride
        else:
            merged.append((extent, stride))
    return tuple(merged) or ((1, 0),)


def _extent(axes: Iterable[Axis]) -> int:
    return math.prod(axis.extent for axis in axes)


def _exchange(axes: Iterable[Axis]) -> tuple[Axis, ...]:
    return tuple(replace(axis, lhs=axis.rhs, rhs=axis.lhs) for axis in axes)


def _merge(axes: Iterable[Axis]) -> tuple[Axis, ...]:
    merged: list[Axis] = []
    for axis in axes:
        if axis.extent == 1:
            continue
        within = merged[-1] if merged else None
        if within is not None and within == Axis(
            within.extent, *(axis.extent * step for step in (axis.lhs, axis.rhs, axis.result))
        ):
            merged[-1] = replace(axis, extent=within.extent * axis.extent)
        else:
            merged.append(axis)
    return tuple(merged)


Spec = Sequence[int]
"""The order of an array's axes: batch, feature, then spatial ones; for filters output feature,
input feature, then spatial ones.
"""


@dataclass(frozen=True, slots=True)
class Window:
    """One spatial axis."""

    size: int
    """The extent of the images."""
    taps: int
    """The extent of the filters."""
    places: int
    """The extent of the result."""
    stride: int
    low: int
    """The padding before the images; negative if it crops them."""
    spread: int
    """The dilation of the images, `lhs_dilation`."""
    reach: int
    """The dilation of the filters, `rhs_dilation`."""
    lhs: int
    """The stride in the images."""
    rhs: int
    result: int
    phases: int = 1
    """The number of phases that a dilated convolution was split into, of which this is one."""
    whole: Window | None = None
    """The window before it was split into phases."""

    @property
    def extent(self) -> int:
        """The extent of the padded images that all places see."""
        return self.seen(self.places)

    def seen(self, places: int) -> int:
        """Returns the extent of the padded images that some neighbouring places see."""
        shift = 1 if self.phases > 1 else 0
        return (places - 1) * self.stride + (self.taps - 1) * self.reach + 1 + shift

    @property
    def is_inside(self) -> bool:
        """Whether no place sees padding or gaps."""
        return self.spread == 1 and self.low <= 0 and self.extent - self.low <= self.size


@dataclass(frozen=True, slots=True)
class Convolution:
    """The parts of a convolution."""

    groups: Axis
    """Groups of features, with separate filters."""
    parts: Axis
    """Groups of images, with separate filters."""
    items: Axis
    """The images of a group."""
    windows: tuple[Window, ...]
    features: Axis
    columns: Axis
    """The filters of a group."""
    lhs: DType
    rhs: DType
    result: DType
    accumulator: DType
    is_rough: bool = False
    """As that of contractions."""

    @property
    def is_inside(self) -> bool:
        """Whether no window sees padding or gaps."""
        return all(window.is_inside for window in self.windows)

    def contraction(self) -> Contraction:
        """Returns the convolution as one contraction if all windows are inside; the images then
        begin at element `start`.
        """
        rows = [self.items]
        rows += [Axis(w.places, lhs=w.stride * w.lhs, result=w.result) for w in self.windows]
        summed = [Axis(w.taps, lhs=w.reach * w.lhs, rhs=w.rhs) for w in self.windows]
        return Contraction(
            (self.parts, self.groups),
            tuple(rows),
            (self.columns,),
            (*summed, self.features),
            self.lhs,
            self.rhs,
            self.result,
            self.accumulator,
            self.is_rough,
        )

    @property
    def start(self) -> int:
        """The first element of the images that a window sees."""
        return -sum(window.low * window.lhs for window in self.windows)


def convolution(
    images: Sequence[int],
    filters: Sequence[int],
    result: Sequence[int],
    kinds: tuple[DType, DType, DType],
    *,
    window_strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int],
    rhs_dilation: Sequence[int],
    dimension_numbers: tuple[Spec, Spec, Spec],
    feature_group_count: int,
    batch_group_count: int,
) -> Convolution | None:
    """Returns the parts of `lax.conv_general_dilated` for row-major arrays of these shapes; None if
    there is no dtype for its sums.
    """
    accumulator = accumulator_of(*kinds)
    if accumulator is None:
        return None
    lhs_spec, rhs_spec, out_spec = dimension_numbers
    shapes = [
        [shape[axis] for axis in spec]
        for shape, spec in zip((images, filters, result), dimension_numbers, strict=True)
    ]
    mine, theirs, places = (
        [row_major(shape)[axis] for axis in spec]
        for shape, spec in (
            (images, lhs_spec),
            (filters, rhs_spec),
            (result, out_spec),
        )
    )
    count = feature_group_count * batch_group_count
    many = shapes[1][0] // count
    inputs = shapes[1][1]
    windows = tuple(
        Window(
            shapes[0][n],
            shapes[1][n],
            shapes[2][n],
            window_strides[n - 2],
            padding[n - 2][0],
            lhs_dilation[n - 2],
            rhs_dilation[n - 2],
            mine[n],
            theirs[n],
            places[n],
        )
        for n in range(2, len(images))
    )
    items = shapes[0][0] // batch_group_count
    return Convolution(
        Axis(feature_group_count, inputs * mine[1], many * theirs[0], many * places[1]),
        Axis(batch_group_count, items * mine[0], many * theirs[0], many * places[1]),
        Axis(items, lhs=mine[0], result=places[0]),
        windows,
        Axis(inputs, lhs=mine[1], rhs=theirs[1]),
        Axis(many, rhs=theirs[0], result=places[1]),
        *kinds,
        accumulator,
    )
