"""Code for convolutions: bands of images are staged if need be, and gone through by tiles."""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.cpu.contraction.direct import Places, Tiles, last_start
from oakum.compile.cpu.contraction.layouts import aligned
from oakum.compile.cpu.contraction.operands import Producer, side
from oakum.compile.cpu.contraction.packing import Pack, packing
from oakum.compile.cpu.contraction.padded_bands import Stage, band_height, emit_stage, stage
from oakum.compile.cpu.contraction.planning import Demands, is_rhs_held, signature
from oakum.compile.cpu.contraction.prepack import Preparation, begin_preparation
from oakum.compile.cpu.contraction.result_store import WriteEpilogue, Writer, parameter, probed
from oakum.compile.cpu.contraction.strided_input import (
    Phase,
    in_phases,
    phase,
    phase_count,
    result_places,
    row_numbers,
    summed_rates,
)
from oakum.compile.cpu.contraction.tile import Tile, featured_tile, small_tile
from oakum.compile.cpu.contraction.transpose_in_registers import turned_bytes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.native.target import Target
from oakum.compile.problems.contraction import Axis, Contraction, Convolution, merged_steps
from oakum.values.records import dataclass, replace

_STAGED = 1 << 17
"""The bytes of a staged band."""

_WORTH = 1 << 18
"""The products that are worth a unit of work of their own."""


def band_contraction(
    c: Convolution, staged: Stage | None, height: int, *, packed: bool = False
) -> Contraction:
    """What is contracted for one band of one image; if the filters are packed, their strides are
    counted in summed places.
    """
    strides = copy_strides(c, staged)
    rates = summed_rates(c) if packed else [window.rhs for window in c.windows]
    features = c.features.lhs if staged is None else staged.features
    rows: list[Axis] = []
    summed: list[Axis] = []
    for number, (window, stride) in enumerate(zip(c.windows, strides, strict=True)):
        count = height if number == 0 else window.places
        rows.append(Axis(count, lhs=window.stride * stride, result=window.result))
        rate = rates[number] * (window.phases if packed else 1)
        summed.append(Axis(window.taps, lhs=window.reach * stride, rhs=rate))
    rate = 1 if packed else c.features.rhs
    summed.append(Axis(c.features.extent, lhs=features, rhs=rate))
    groups = replace(c.groups, lhs=c.features.extent * features)
    kind = c.lhs if staged is None else c.accumulator
    batch, columns = (groups,), (c.columns,)
    if c.features.extent == c.columns.extent == groups.lhs == groups.result == 1:
        # Each feature has one filter: features are columns, of which each has rows of its own.
        batch, columns = (), batch
    made = Contraction(
        batch, tuple(rows), columns, tuple(summed), kind, c.rhs, c.result, c.accumulator
    )
    return made.simplified()


def copy_strides(c: Convolution, staged: Stage | None) -> tuple[int, ...]:
    """Returns the elements between neighbours along each spatial axis, as tiles read them."""
    return tuple(window.lhs for window in c.windows) if staged is None else staged.strides


@dataclass(frozen=True, slots=True)
class _Memory:
    """Where the parts of scratch memory begin, in bytes."""

    slivers: int
    tile: int
    table: int
    end: int


@dataclass(frozen=True, slots=True)
class Bands:
    """Writes a convolution, band by band."""

    f: Function
    convolution: Convolution
    problem: Contraction
    tile: Tile
    writer: Writer
    staged: Stage | None
    height: int
    filters: Filters | None
    """The filters, if they are packed."""
    preparation: Preparation | None
    """How they are packed before, if they are."""
    memory: _Memory
    extras: tuple[str, ...]

    @property
    def bands(self) -> int:
        """The bands of an image."""
        return -(-self.convolution.windows[0].places // self.height)

    @property
    def units(self) -> int:
        """The bands of all images."""
        c = self.convolution
        return c.parts.extent * c.items.extent * self.bands

    def write(self) -> None:
        """Goes through the bands from `begin` to `end`, which may be of several images."""
        f, c = self.f, self.convolution
        if self.staged is not None:
            self.clear(self.staged.size)
        Tiles(f, self.problem, self.tile, self.writer).write_table(self.table, (0, self.problem.m))
        if c.parts.extent == 1:
            self.part(0, parameter("begin"), parameter("end"))
            return
        each = c.items.extent * self.bands
        first = f.binary("udiv", parameter("begin"), each)
        last = f.binary("udiv", f.add(parameter("end"), each - 1), each)
        with f.loop(first, last) as loop:
            start = f.mul(loop.index, each)
            begin = f.maximum(f.sub(parameter("begin"), start), 0)
            end = f.minimum(f.sub(parameter("end"), start), each)
            self.part(loop.index, begin, end)

    @property
    def table(self) -> str:
        """Where it is written down how far rows are."""
        return self.f.pointer("%scratch", self.memory.table, dtypes.int8)

    def clear(self, count: int) -> None:
        """Makes the copy zero."""
        f, accumulator = self.f, self.convolution.accumulator
        width = f.target.width(accumulator)
        zero = constant(0.0 if is_float(accumulator) else 0, accumulator, width)
        with f.loop(0, count, width) as loop:
            f.store(zero, "%scratch", loop.index)

    def part(self, part: Index, begin: Value, end: Value) -> None:
        """Goes through the bands of the images that have the same filters."""
        f, c, problem = self.f, self.convolution, self.problem
        filters = f.pointer("%rhs", f.mul_index(part, c.parts.rhs), problem.rhs)
        if self.filters is not None and self.preparation is None:
            slivers = f.pointer("%scratch", self.memory.slivers, dtypes.int8)
            self.filters.write(f, filters, slivers, 0, self.filters.slivers)
            filters = slivers
        with f.loop(begin, end) as loop:
            item = f.binary("udiv", loop.index, self.bands)
            first = f.mul(f.sub(loop.index, f.mul(item, self.bands)), self.height)
            first = last_start(f, first, self.height, c.windows[0].places)
            image = f.add_index(f.mul_index(part, c.parts.lhs), f.mul_index(item, c.items.lhs))
            band = self.image(image, f.index(first))
            with f.loop(0, phase_count(c)) as phases:
                number = 0 if phase_count(c) == 1 else phases.index
                here = phase(f, c, problem, copy_strides(c, self.staged), number)
                origin = self.origin(part, item, first, here)
                self.tiles(band, filters, here, origin)

    def tiles(self, band: str, rhs: str, here: Phase, origin: tuple[Index, Index, Index]) -> None:
        """Goes through the tiles of a band, for one phase."""
        f, problem = self.f, self.problem
        lhs = f.pointer(band, here.lhs, problem.lhs)
        depth = 0
        if self.filters is None:
            rhs = f.pointer(rhs, here.rhs, problem.rhs)
        else:
            depth = self.filters.depth
            rhs = f.pointer(rhs, f.mul_index(here.packed, self.tile.columns), problem.accumulator)
        memory = f.pointer("%scratch", self.memory.tile, dtypes.int8)
        places = Places(lhs, rhs, depth, memory, self.table, here.counts)
        writer = replace(self.writer, origin=origin)
        tiles = Tiles(f, problem, self.tile, writer, places, self.extras)
        with f.loop(0, problem.b) as group:
            number = 0 if problem.b == 1 else group.index
            tiles.item(number, (0, problem.m), (0, problem.n))

    def origin(
        self, part: Index, item: Index, first: Index, here: Phase
    ) -> tuple[Index, Index, Index]:
        """Returns the numbers of the first row and column of a band, and where it begins in the
        result.
        """
        f, c = self.f, self.convolution
        steps = row_numbers(c)
        each = steps[0] // c.windows[0].phases * result_places(c.windows[0])
        number = f.add_index(f.mul_index(item, each), f.mul_index(first, steps[0]))
        offset = f.add_index(f.mul_index(part, c.parts.result), f.mul_index(item, c.items.result))
        offset = f.add_index(offset, f.mul_index(first, c.windows[0].result))
        column = f.mul_index(part, c.columns.extent)
        return f.add_index(number, here.row), column, f.add_index(offset, here.result)

    def image(self, image: Index, first: Value) -> str:
        """Where the band of an image begins, or its copy."""
        f, c = self.f, self.convolution
        if self.staged is None:
            at = f.add_index(image, f.mul_index(first, c.windows[0].stride * c.windows[0].lhs))
            return f.pointer("%lhs", f.add_index(at, c.start), c.lhs)
        given = ", ".join(
            ["ptr %lhs", f.index(image).typed, "ptr %scratch", first.typed]
            + [f"ptr %{extra}" for extra in self.extras]
        )
        f.write(f"call void @{f.name}_stage({given})")
        return "%scratch"


def emit_bands(
    convolution: Convolution,
    target: Target,
    name: str,
    epilogue: WriteEpilogue | None,
    producers: tuple[Producer | None, Producer | None],
    extras: tuple[str, ...],
    demands: Demands,
) -> tuple[list[Function], int, int, Preparation | None]:
    """Returns the functions, the last of which is the convolution; the scratch memory; the units;
    and what is done before them.
    """
    c = in_phases(convolution)
    size = c.accumulator.itemsize
    height = band_height(c, _STAGED // size, _WORTH, exact=demands.in_place)
    plain = c.is_inside and c.lhs is c.accumulator and producers[0] is None
    staged = None if plain else stage(c, height)
    problem = band_contraction(c, staged, height)
    featured = any(axis.lhs for axis in problem.columns)
    tile = (featured_tile if featured else small_tile)(problem, target, exact=demands.in_place)
    filters = None
    if producers[1] is not None or not is_rhs_held(problem, tile):
        whole = band_contraction(convolution, None, 1)
        operand = side(whole, first=False, producer=producers[1])
        packed = packing(operand, target, f"{name}_rhs", tile.columns, extras)
        problem = band_contraction(c, staged, height, packed=True)
        filters = Filters(problem, tile, packed)
    stored, lines = probed(problem, target, epilogue)
    numbers = None
    if phase_count(c) > 1:
        pairs = zip([height, *(w.places for w in c.windows[1:])], row_numbers(c), strict=True)
        numbers = merged_steps(pairs)
    writer = Writer(problem, False, epilogue, stored, lines, grouped=True, numbers=numbers)
    f = Function(name, signature(extras, swapped=False), target)
    functions: list[Function] = []
    slivers = 0
    if staged is not None:
        functions.append(emit_stage(staged, target, f"{name}_stage", producers[0], extras))
        slivers = aligned(staged.size * size + target.vector_bytes)
    tiles = slivers
    preparation = None
    if filters is not None:
        if not filters.pack.is_shared:
            functions.append(filters.pack.function)
        units = c.items.extent * -(-c.windows[0].places // height)
        if demands.threads > 1 < units and c.parts.extent == 1 and filters.is_large:
            preparation = filters.preparation(target, f"{name}_prepare")
            functions.append(preparation.function)
        else:
            tiles = aligned(slivers + filters.size(target))
    table = aligned(tiles + turned_bytes(problem, tile))
    end = table + 8 * problem.m
    memory = _Memory(slivers, tiles, table, end)
    bands = Bands(f, c, problem, tile, writer, staged, height, filters, preparation, memory, extras)
    bands.write()
    return [*functions, f], end, bands.units, preparation


_FEWEST: Final = 1 << 13
"""The elements that are worth it that threads wait for one another."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What is packed."""

    problem: Contraction
    tile: Tile
    pack: Pack

    @property
    def depth(self) -> int:
        """The summed places of a sliver."""
        return self.pack.operand.count

    @property
    def slivers(self) -> int:
        """The slivers of all groups. Where tiles do not divide the columns, the last begins earlier
        than where the one before it ends.
        """
        return self.problem.b * -(-self.problem.n // self.tile.columns)

    @property
    def is_large(self) -> bool:
        """Whether threads had better pack them together."""
        return self.slivers * self.tile.columns * self.depth >= _FEWEST

    def size(self, target: Target) -> int:
        """Returns the bytes of all slivers."""
        elements = self.slivers * self.tile.columns * self.depth
        return elements * self.problem.accumulator.itemsize + target.vector_bytes

    def write(self, f: Function, filters: str, packed: str, begin: Index, end: Index) -> None:
        """Packs some slivers."""
        problem, columns = self.problem, self.tile.columns
        each = self.slivers // problem.b
        with f.loop(begin, end) as loop:
            group = f.binary("udiv", loop.index, each)
            first = f.mul(f.sub(loop.index, f.mul(group, each)), columns)
            column = first if problem.n % columns == 0 else f.minimum(first, problem.n - columns)
            at = f.mul(loop.index, columns * self.depth)
            sliver = f.pointer(packed, at, problem.accumulator)
            self.pack.call(f, filters, sliver, (group, column, columns, 0, self.depth))

    def preparation(self, target: Target, name: str) -> Preparation:
        """Writes code with which threads pack them together."""
        f = begin_preparation(name, target, self.pack.extras)
        self.write(f, "%operand", "%packed", parameter("begin"), parameter("end"))
        return Preparation(f, 1, self.slivers, aligned(self.size(target)))
