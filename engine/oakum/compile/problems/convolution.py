"""Convolutions: what they are made of, for any layout.

A convolution is a contraction whose rows are the places of the result: the window moves over the
images, and the summed axes are those of the window and the features. Windows overlap, which is only
a matter of strides; padding and images that are spread need a copy, band by band.
"""

from __future__ import annotations

from collections.abc import Sequence

from oakum.compile.problems.contraction import Axis, Contraction, accumulator_of, row_major
from oakum.dtypes import DType
from oakum.values.records import dataclass

Spec = Sequence[int]
"""Where an array has its axes: batch, feature and the spatial ones; for filters output feature,
input feature and the spatial ones.
"""


@dataclass(frozen=True, slots=True)
class Window:
    """One spatial axis."""

    size: int
    """Of the images."""
    taps: int
    """Of the filters."""
    places: int
    """Of the result."""
    stride: int
    low: int
    """The padding before the images; negative if some of them is left out."""
    spread: int
    """How far apart the elements of the images are put: `lhs_dilation`."""
    reach: int
    """How far apart the taps are: `rhs_dilation`."""
    lhs: int
    """The elements from one to the next in each array."""
    rhs: int
    result: int
    phases: int = 1
    """How many convolutions this is one of, each with some of the taps and of the places."""
    whole: Window | None = None
    """What they make together."""

    @property
    def extent(self) -> int:
        """What all places see together, of the padded images."""
        return self.seen(self.places)

    def seen(self, places: int) -> int:
        """What some places beside each other see together."""
        shift = 1 if self.phases > 1 else 0
        return (places - 1) * self.stride + (self.taps - 1) * self.reach + 1 + shift

    @property
    def is_inside(self) -> bool:
        """Whether nothing but elements of the images is seen."""
        return self.spread == 1 and self.low <= 0 and self.extent - self.low <= self.size


@dataclass(frozen=True, slots=True)
class Convolution:
    """The parts of a convolution."""

    groups: Axis
    """Groups of features, each with filters of its own."""
    parts: Axis
    """Groups of images, each with filters of its own."""
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
        """Whether the images are seen as they are."""
        return all(window.is_inside for window in self.windows)

    def contraction(self) -> Contraction:
        """The convolution as one contraction, if all windows are inside; the first operand begins
        as far from its first element as `start` says.
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
        """The first element that is seen."""
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
    """The parts of `lax.conv_general_dilated`, whose arrays have these shapes and are row-major;
    None where there is no native code for the dtypes of the operands and the result.
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
