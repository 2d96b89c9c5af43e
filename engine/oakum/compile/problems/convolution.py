"""Convolutions, for any layout.

A convolution is a contraction whose rows are the places of the result, and whose summed axes are
those of the window and the features. Overlapping windows are a matter of strides; padding and
dilated images need a copy, band by band.
"""

from __future__ import annotations

from collections.abc import Sequence

from oakum.compile.problems.contraction import Axis, Contraction, accumulator_of, row_major
from oakum.dtypes import DType
from oakum.values.records import dataclass

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
