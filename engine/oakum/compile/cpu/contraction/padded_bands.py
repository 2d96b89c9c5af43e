"""Staging: a band of an image is copied with its padding, so that windows need no bounds
checks.

A copy costs one step per element, which each tap of each filter then uses. The copy has the dtype
of sums; dilation and producers are applied in it.
"""

from __future__ import annotations

import math
from typing import Final

from oakum.compile.cpu.contraction.operand_conversions import widen
from oakum.compile.cpu.contraction.operands import Origin, Producer
from oakum.compile.cpu.contraction.result_store import parameter, pieces
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.native.target import Target
from oakum.compile.problems.contraction import Convolution, Window
from oakum.values.records import dataclass

_UNITS: Final = 8
"""The least number of bands, if they are worth a unit each."""


@dataclass(frozen=True, slots=True)
class Run:
    """Elements of one axis that are copied: how many, from the first of them on, and the elements
    between them in the image and in the copy.
    """

    extent: int
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Stage:
    """The layout of the copy of a band."""

    convolution: Convolution
    height: int
    """The places of a band along the first spatial axis."""
    strides: tuple[int, ...]
    """Of the spatial axes, in the copy."""
    features: int
    """The stride of the features."""
    size: int
    """The elements of the copy."""

    @property
    def rows(self) -> int:
        """The rows of the copy: its extent along the first spatial axis."""
        return self.convolution.windows[0].seen(self.height)

    def runs(self) -> tuple[tuple[Run, ...], int, int]:
        """What is copied of a row, the outermost axis first, and how far from the row's begin that
        is, in the image and in the copy.
        """
        c = self.convolution
        features = c.features.extent * c.groups.extent
        runs = [Run(features, c.features.lhs, self.features)]
        source = target = 0
        for window, stride in zip(c.windows[1:], self.strides[1:], strict=True):
            first, count = _seen(window)
            runs.append(Run(count, window.lhs, stride * window.spread))
            source += first * window.lhs
            target += (first * window.spread + window.low) * stride
        return _merge(runs), source, target


def stage(convolution: Convolution, height: int) -> Stage:
    """Returns the layout of the copy of bands of a height: axes lie in it as they do in the images,
    so that what is contiguous stays so; the first spatial axis is the outermost.
    """
    c = convolution
    features = c.features.extent * c.groups.extent
    axes = [(c.features.lhs, features, -1)]
    axes += [(window.lhs, window.extent, n) for n, window in enumerate(c.windows) if n]
    strides = dict.fromkeys(range(-1, len(c.windows)), 0)
    size = 1
    for _, extent, number in sorted(axes):
        strides[number] = size
        size *= extent
    strides[0] = size
    rows = c.windows[0].seen(height)
    spatial = tuple(strides[n] for n in range(len(c.windows)))
    return Stage(c, height, spatial, strides[-1], rows * size)


def _seen(window: Window) -> tuple[int, int]:
    """Returns the first element of an image that is seen, and the number of them."""
    first = max(-(window.low // window.spread), 0) if window.low < 0 else 0
    end = -(-(window.extent - window.low) // window.spread)
    return first, max(min(end, window.size) - first, 0)


def _merge(runs: list[Run]) -> tuple[Run, ...]:
    merged: list[Run] = []
    for run in sorted(runs, key=lambda run: -run.target):
        last = merged[-1] if merged else None
        if run.extent == 1 and merged:
            continue
        steps = run.extent * run.source, run.extent * run.target
        if last is not None and (last.source, last.target) == steps:
            merged[-1] = Run(last.extent * run.extent, run.source, run.target)
        elif last is not None and last.extent == 1:
            merged[-1] = run
        else:
            merged.append(run)
    return tuple(merged)


def emit_stage(
    stage: Stage, target: Target, name: str, producer: Producer | None, extras: tuple[str, ...]
) -> Function:
    """Returns a function that copies a band.

    Its parameters: the images, where the image begins in them, the copy, and the first place of the
    band. What is not copied to has to be zero.
    """
    f = Function(
        name,
        [
            ("ptr", "images"),
            ("i64", "image"),
            ("ptr", "copy"),
            ("i64", "first"),
            *(("ptr", extra) for extra in extras),
        ],
        target,
        internal=True,
        attributes="nounwind noinline",
    )
    _Staging(f, stage, producer).write()
    return f


@dataclass(frozen=True, slots=True)
class _Staging:
    f: Function
    stage: Stage
    producer: Producer | None

    def write(self) -> None:
        f, stage = self.f, self.stage
        window = stage.convolution.windows[0]
        runs, source, target = stage.runs()
        with f.loop(0, stage.rows) as loop:
            start = f.sub(f.mul(parameter("first"), window.stride), window.low)
            place = f.add(start, loop.index)
            into = f.add_index(f.mul(loop.index, stage.strides[0]), target)
            row, inside = self.row(place)
            origin = f.add_index(f.add(parameter("image"), f.mul_index(row, window.lhs)), source)
            self.copy_row(runs, origin, into, inside)

    def copy_row(
        self, runs: tuple[Run, ...], origin: Index, into: Index, inside: Value | None
    ) -> None:
        """Copies a row, or zeros it if there is none."""
        f = self.f
        if inside is None:
            self.copy(runs, origin, into)
            return
        with f.when(inside):
            self.copy(runs, origin, into)
        with f.when(f.bit_not(inside)):
            self.copy(runs, None, into)

    def row(self, place: Value) -> tuple[Value, Value | None]:
        """Returns the row of an image at a place of the padded one, and whether there is one."""
        f, window = self.f, self.stage.convolution.windows[0]
        if window.is_inside:
            return place, None
        inside = f.bit_and(
            f.compare("ge", place, 0),
            f.compare("lt", place, (window.size - 1) * window.spread + 1),
        )
        if window.spread == 1:
            return place, inside
        row = f.binary("sdiv", place, window.spread)
        exact = f.compare("eq", f.mul(row, window.spread), place)
        return row, f.bit_and(inside, exact)

    def copy(self, runs: tuple[Run, ...], source: Index | None, target: Index) -> None:
        """Copies elements, or zeros them if there is no source."""
        f = self.f
        run, *rest = runs
        if rest:
            with f.loop(0, run.extent) as loop:
                here = (
                    None
                    if source is None
                    else f.add_index(source, f.mul_index(loop.index, run.source))
                )
                self.copy(
                    tuple(rest), here, f.add_index(target, f.mul_index(loop.index, run.target))
                )
            return
        if run.target != 1 or run.source != 1:
            with f.loop(0, run.extent) as loop:
                here = (
                    None
                    if source is None
                    else f.add_index(source, f.mul_index(loop.index, run.source))
                )
                self.move(here, f.add_index(target, f.mul_index(loop.index, run.target)), 1)
            return
        width = f.target.width(self.stage.convolution.accumulator)
        whole = run.extent // width * width
        with f.loop(0, whole, width) as loop:
            here = None if source is None else f.add_index(source, loop.index)
            self.move(here, f.add_index(target, loop.index), width)
        for size in pieces(run.extent - whole, width):
            here = None if source is None else f.add_index(source, whole)
            self.move(here, f.add_index(target, whole), size)
            whole += size

    def move(self, source: Index | None, target: Index, width: int) -> None:
        f, c = self.f, self.stage.convolution
        if source is None:
            zero = constant(0.0 if is_float(c.accumulator) else 0, c.accumulator, width)
            f.store(zero, "%copy", target)
            return
        value = f.load("%images", source, c.lhs, width)
        if self.producer is not None:
            origin = Origin(0, source, 0, int(width > 1), 0, None)
            value = self.producer(f, value, origin)
        f.store(widen(f, value, c.accumulator), "%copy", target)


def band_height(convolution: Convolution, most: int, products: int, *, exact: bool) -> int:
    """Returns the height of bands: their copies take no more than so many elements, they are worth
    a unit of work, and there are some of them.
    """
    c = convolution
    window = c.windows[0]
    row = stage(c, 1).strides[0]
    held = max((most // max(row, 1) - (window.taps - 1) * window.reach) // window.stride, 1)
    shared = -(-window.places * c.items.extent * c.parts.extent // _UNITS)
    others = math.prod(w.places for w in c.windows[1:])
    worth = others * c.columns.extent * c.groups.extent * c.contraction().k
    height = min(max(min(held, shared), -(-products // max(worth, 1))), window.places)
    parts = -(-window.places // height)
    height = -(-window.places // parts)
    while exact and window.places % height:
        height -= 1
    return height
