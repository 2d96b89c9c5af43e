"""Large products as kernels: a block computes a tile of the result, from strips of both operands
that it keeps in shared memory, two of each: one is multiplied while the next is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oakum import dtypes
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.native.target import Target
from oakum.compile.nvptx.codegen.gpu_kernel import Argument, Kernel
from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.nvptx.lane_tiles import LaneTiles
from oakum.compile.nvptx.operand_strips import Strips
from oakum.compile.nvptx.product_finish import Finish
from oakum.compile.nvptx.product_operands import operands_of
from oakum.compile.nvptx.product_tiling import THREADS, WIDEST, Tiling
from oakum.compile.nvptx.tensor_core_tiles import RoundedTiles, TensorCoreTiles
from oakum.compile.nvptx.tile_finish import FinishWriter
from oakum.compile.problems.contraction import Contraction
from oakum.values.records import dataclass

_RESIDENT = 2
"""The blocks of a multiprocessor: one computes while the other waits. So a thread has 128
registers, of which 64 hold sums.
"""


@dataclass(frozen=True, slots=True)
class Operands:
    """The buffers of both operands, and their first elements."""

    lhs: Buffer
    rhs: Buffer
    offsets: tuple[int, int]


class ProductKernel:
    """Writes the kernel of a product, which takes the addresses of `buffers`."""

    def __init__(
        self,
        problem: Contraction,
        tiling: Tiling,
        operands: Operands,
        finish: Finish,
        target: Target,
        alignments: Mapping[Buffer, int],
    ) -> None:
        self._problem, self._tiling = problem, tiling
        self.buffers = tuple(dict.fromkeys([operands.lhs, operands.rhs, *finish.nest.buffers]))
        written = {store.buffer for store in finish.sweep.stores}
        arguments = [
            Argument(min(alignments.get(b, ACCESS), ACCESS), b in written) for b in self.buffers
        ]
        given = alignments.get(operands.lhs, ACCESS), alignments.get(operands.rhs, ACCESS)
        self._operands = operands_of(problem, operands.offsets, given)
        # Single elements on their way take more registers.
        is_narrow = tiling.side == WIDEST and not all(each.is_wide for each in self._operands)
        resident = 0 if is_narrow else _RESIDENT
        f = self._f = Kernel(arguments, target, THREADS, resident)
        pointers = {b: f"%m{number}" for number, b in enumerate(self.buffers)}
        least = min(alignments.get(b, ACCESS) for b in finish.nest.buffers)
        self._pointers = pointers[operands.lhs], pointers[operands.rhs]
        self._finish = FinishWriter(f, finish, pointers, least)
        if tiling.unit == "lanes":
            self._unit = LaneTiles(f, problem, tiling)
        else:
            made = RoundedTiles if problem.lhs is dtypes.float32 else TensorCoreTiles
            self._unit = made(f, self._operands, tiling)

    def write(self) -> Kernel:
        """Writes the kernel."""
        f, tiling, unit = self._f, self._tiling, self._unit
        side, strip = tiling.side, tiling.strip
        batch, part, down, across = self._tile()
        passed = side // unit.passes
        wide = self._problem.accumulator
        strips_bytes = [2 * x.size * x.dtype.itemsize for x in unit.layouts]
        room = f.shared_memory(max(sum(strips_bytes), self._finish.nbytes(passed, side, wide)))
        rooms = room, f.pointer(room, strips_bytes[0], dtypes.uint8)
        moves = [
            Strips(
                f, self._operands[n], unit.layouts[n], (self._pointers[n], rooms[n]), (side, strip)
            )
            for n in range(2)
        ]
        moves[0].begin(batch, f.mul(down, side))
        moves[1].begin(batch, f.mul(across, side))
        begin, end = self._span(part)
        zero = constant(0, dtypes.int64)
        loaded = [move.load(begin, 0) for move in moves]
        for move, pieces in zip(moves, loaded, strict=True):
            move.store(pieces, 0)
        self._meet(moves)
        with f.loop(begin, end, strip, [zero, *unit.zeros()]) as loop:
            turn, *totals = loop.values
            following = f.add(loop.index, strip)
            # Behind the last strip nothing is copied, or the first is loaded again.
            is_there = f.compare("lt", following, end)
            following = f.select(is_there, following, begin)
            sizes = [layout.size for layout in unit.layouts]
            stages = f.mul(turn, sizes[0]), f.mul(turn, sizes[1])
            turn = f.bit_xor(turn, 1)
            others = [f.mul(turn, size) for size in sizes]
            pairs = zip(moves, others, strict=True)
            loaded = [move.load(following, stage, is_there) for move, stage in pairs]
            totals = unit.multiply(rooms, stages, totals)
            for move, pieces, stage in zip(moves, loaded, others, strict=True):
                move.store(pieces, stage)
            self._meet(moves)
            loop.next = [turn, *totals]
        totals = loop.results[1:]
        f.read_again()
        batch, part, down, across = self._tile()
        first = batch, part, f.mul(down, side), f.mul(across, side)
        row_step, column_step = self._finish.pitch(passed, side, wide)

        def put(row: Value, column: Value, value: Value) -> None:
            at = f.add(f.mul(row, row_step), f.mul(column, column_step))
            if column_step == 1:
                f.store(value, room, at, align=min(value.width * wide.itemsize, ACCESS))
                return
            for lane in range(value.width):
                f.store(f.lane(value, lane), room, f.add(at, lane * column_step))

        for number in range(unit.passes):
            if number:
                f.barrier()  # All have finished the rows that are overwritten.
            unit.put(number, totals, put)
            f.barrier()

            def row_of(row: Value, number: int = number) -> Value:
                return unit.row(number, row)

            self._finish.write(room, (passed, side), wide, first, row_of)
        return f

    def _meet(self, moves: Sequence[Strips]) -> None:
        """Waits until all threads have moved their pieces."""
        if any(move.copies for move in moves):
            self._f.wait_for_copies()
        self._f.barrier()

    def _tile(self) -> tuple[Value, Value, Value, Value]:
        """Returns the product of the batch, the part of the sums and the tile of the block."""
        f, tiling = self._f, self._tiling
        rest, within = f.divide(f.block_number(), tiling.down * tiling.across)
        batch, part = f.divide(rest, tiling.parts)
        group, within = f.divide(within, tiling.grouped * tiling.across)
        across, row = f.divide(within, tiling.grouped)
        return batch, part, f.add(f.mul(group, tiling.grouped), row), across

    def _span(self, part: Value) -> tuple[Value, Value]:
        """Returns the first product of a part, and the end of them."""
        f, tiling = self._f, self._tiling
        products = constant(self._problem.k, dtypes.int64)
        if tiling.parts == 1:
            return constant(0, dtypes.int64), products
        begin = f.mul(part, tiling.part)
        return begin, f.minimum(f.add(begin, tiling.part), products)
