"""Nests as code: loops over outer axes, vectors, and the remainder behind the last whole vector.

The remainder uses masked lanes, or is done element by element if the machine has no masks for
elements of that size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from oakum import dtypes
from oakum.compile.cpu.codegen.schedule import Schedule
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.loops.interleaved_access import Interleaving
from oakum.compile.loops.loop_ir import Affine, Buffer, Nest, Sweep
from oakum.compile.loops.nest_context import Cursor
from oakum.compile.loops.sweep_writer import SweepWriter
from oakum.compile.native.target import Target

if TYPE_CHECKING:
    from oakum.compile.cpu.codegen.strided_reduction import ColumnWriter

MASKED: Final = (4, 8)
"""The sizes of elements that are masked: AVX2 has masked accesses of 32 and 64 bits only."""


class NestWriter:
    """Writes one nest as a function of the addresses of its buffers and a range of positions.

    With `calls`, elementary functions are called rather than written in line.
    """

    def __init__(
        self, nest: Nest, schedule: Schedule, target: Target, name: str, *, calls: bool = False
    ) -> None:
        self.nest = nest
        self.schedule = schedule
        self._buffers = [b for b in nest.buffers if b.role != "stage"]
        parameters = [("ptr noalias", f"m{i}") for i in range(len(self._buffers))]
        self.function = Function(
            name, [*parameters, ("i64", "begin"), ("i64", "end")], target, internal=True
        )
        self.function.calls = calls
        self._pointers = {b: f"%m{i}" for i, b in enumerate(self._buffers)}
        self.masks = all(b.dtype.itemsize in MASKED for b in nest.buffers)
        """Whether remainders use masked lanes."""
        self._interleavings = [(s, Interleaving(nest, s, schedule.axis)) for s in nest.sweeps]
        for buffer in nest.buffers:
            if buffer.role == "stage":
                place = self.function.fresh("stage")
                kind = f"[{max(buffer.nbytes, 1) + target.vector_bytes} x i8]"
                self.function.lines.append(f"  {place} = alloca {kind}, align 64")
                self._pointers[buffer] = place

        self._columns: ColumnWriter | None = None
        if schedule.block is not None:
            assert schedule.axis is not None
            from oakum.compile.cpu.codegen.strided_reduction import ColumnWriter

            self._columns = ColumnWriter(self, schedule.axis, schedule.block)

    def write(self) -> Function:
        """Writes the function."""
        self._outer(0, Cursor({}))
        return self.function

    # Loops over outer axes.

    def _outer(self, depth: int, cursor: Cursor) -> None:
        order = self.schedule.order
        if depth == len(order):
            for sweep, width in zip(self.nest.sweeps, self.schedule.widths, strict=True):
                SweepWriter(self, sweep, cursor, width).write()
            return
        axis = order[depth]
        if self._columns is not None and axis == self.schedule.axis:
            self._columns.write(cursor)
            return
        if axis == self.schedule.axis and self.schedule.across is not None:
            from oakum.compile.cpu.codegen.transpose_tiles import TileWriter

            TileWriter(self, axis, self.schedule.across, cursor).write()
            return
        start, stop = self.bounds(axis)
        if axis == self.schedule.axis:
            self.split(axis, start, stop, cursor, lambda inner: self._outer(depth + 1, inner))
            return
        with self.function.loop(start, stop) as loop:
            self._outer(depth + 1, cursor.at(axis, loop.index))

    def bounds(self, axis: int) -> tuple[Index, Index]:
        """Returns the range of an axis."""
        if axis == self.schedule.parallel:
            return Value("%begin", dtypes.int64), Value("%end", dtypes.int64)
        return 0, self.nest.extents[axis]

    def split(
        self,
        axis: int,
        start: Index,
        stop: Index,
        cursor: Cursor,
        body: Callable[[Cursor], None],
    ) -> None:
        """Writes a body for whole vectors along an axis, then for the remainder; without
        accumulators.
        """
        f, extent, width = self.function, self.nest.extents[axis], self.schedule.width
        whole = extent // width * width
        limit = stop if isinstance(stop, int) else f.minimum(stop, whole)
        if whole:
            with f.loop(start, whole if isinstance(limit, int) else limit, width) as loop:
                body(cursor.at(axis, loop.index, width))
        rest = extent - whole
        if not rest:
            return
        if isinstance(stop, int):
            self._rest(axis, whole, rest, cursor, body)
            return
        with f.when(f.compare("eq", stop, extent)):
            self._rest(axis, whole, rest, cursor, body)

    def _rest(
        self, axis: int, whole: int, rest: int, cursor: Cursor, body: Callable[[Cursor], None]
    ) -> None:
        f = self.function
        if self.masks and rest > 1:
            width = self.rest_width(rest, self.schedule.width)
            body(cursor.at(axis, f.index(whole), width, rest if rest < width else None))
            return
        with f.loop(whole, whole + rest) as loop:
            body(cursor.at(axis, loop.index, 1))

    def rest_width(self, rest: int, width: int) -> int:
        """Returns the lanes for a remainder: the least power of two that holds it."""
        return min(width, 1 << (rest - 1).bit_length())

    # What instructions need.

    def pointer(self, buffer: Buffer) -> str:
        """Returns the address of a buffer."""
        return self._pointers[buffer]

    def interleaving(self, sweep: Sweep) -> Interleaving:
        """Returns the interleaved accesses of a sweep along the vectorised axis."""
        return next(found for known, found in self._interleavings if known is sweep)

    @property
    def vector_axis(self) -> int | None:
        """The vectorised axis; None for scalars."""
        return self.schedule.axis

    def offset(self, value: Affine, cursor: Cursor) -> Index:
        """Returns the offset of the first lane."""
        f, total = self.function, value.constant
        result: Index = total
        for axis, coefficient in value.terms:
            result = f.add_index(result, f.mul_index(cursor.axes[axis], coefficient))
        return result
