"""The operands of a tile in shared memory: a strip of some products is loaded while the one before
it is multiplied.

Threads side by side load what lies side by side in memory, 16 bytes at a time where the layout
allows it: along the products of a row or column, or along rows or columns.
"""

from __future__ import annotations

from collections.abc import Sequence

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.nvptx.codegen.gpu_kernel import Kernel
from oakum.compile.nvptx.product_operands import Operand
from oakum.compile.nvptx.product_tiling import THREADS
from oakum.compile.problems.contraction import Axis
from oakum.dtypes import DType
from oakum.values.records import dataclass

Piece = tuple[Value, Value | None]
"""What a thread has loaded, and whether it is inside of the operand; None where it surely is."""


@dataclass(frozen=True, slots=True)
class StripLayout:
    """How a strip lies in shared memory."""

    dtype: DType
    outer: int
    """The elements from one row, or column, to the next."""
    product: int
    """The elements from one product to the next."""
    size: int


def place(f: Kernel, number: Value, axes: Sequence[Axis], operand: Operand) -> Index:
    """Returns how far the position of a number along some axes is in an operand."""
    found: Index = 0
    for count, axis in reversed(list(enumerate(axes))):
        position = number
        if count:
            number, position = f.divide(number, axis.extent)
        found = f.add_index(found, f.mul_index(position, operand.step(axis)))
    return found


class Strips:
    """Moves the strips of one operand to shared memory; `pointers` say where it lies, and where
    they are moved to.
    """

    def __init__(
        self,
        f: Kernel,
        operand: Operand,
        layout: StripLayout,
        pointers: tuple[str, str],
        shape: tuple[int, int],
    ) -> None:
        self._f, self._operand, self._layout = f, operand, layout
        self._pointer, self._room = pointers
        side, strip = shape
        self._count, self._products = _extent(operand.outer), _extent(operand.summed)
        self._is_whole, self._is_filled = self._products % strip == 0, self._count % side == 0
        lanes = side * strip // THREADS
        self._width = min(operand.width, lanes)
        self._pieces = lanes // self._width
        self._along = strip if operand.is_along_products else side
        step = layout.product if operand.is_along_products else layout.outer
        is_same = layout.dtype is operand.dtype and step == 1
        self.copies = is_same and operand.is_wide and self._width == operand.width
        """Whether bytes are copied, without passing through registers."""
        self._begins: list[Value] = []
        """Where the pieces of a thread begin, but for the first product of the strip."""
        self._numbers: list[Value] = []
        """The products of the strip at which they begin."""
        self._places: list[Index] = []
        """Where they lie in shared memory."""

    def begin(self, batch: Value, first: Value) -> None:
        """Computes what is the same for all strips: `first` is the first row or column."""
        f, operand, layout = self._f, self._operand, self._layout
        start = f.add_index(place(f, batch, operand.batch, operand), operand.offset)
        lanes = self._along // self._width
        across, along = f.divide(f.thread(), lanes)
        along = f.mul(along, self._width)
        outer, product = (across, along) if operand.is_along_products else (along, across)
        at = f.add_index(f.mul_index(outer, layout.outer), f.mul_index(product, layout.product))
        outer, product = f.add(first, outer), self._short(product)
        for piece in range(self._pieces):
            # Distances between pieces are known, so that they take no registers.
            more = piece * THREADS // lanes
            if operand.is_along_products:
                row, number, step = f.add(outer, more), product, layout.outer
            else:
                row, number, step = outer, f.add(product, more), layout.product
            self._places.append(f.add_index(at, more * step))
            self._numbers.append(number)
            begin = f.index(f.add_index(start, self._begin(row, self._long(number))))
            self._begins.append(self._short(begin))

    def _begin(self, outer: Value, product: Value) -> Index:
        f, operand = self._f, self._operand
        # Beyond the last row or column that one is read again, and nothing of it is stored.
        width = 1 if operand.is_along_products else self._width
        if not self._is_filled:
            last = constant(self._count - width, outer.dtype)
            outer = f.select(f.below(outer, self._count), outer, last)
        begin = place(f, outer, operand.outer, operand)
        if len(operand.summed) == 1:
            begin = f.add_index(begin, f.mul_index(product, operand.step(operand.summed[0])))
        return begin

    def _short(self, x: Value) -> Value:
        """Returns an offset in one register, where all offsets are short enough."""
        if self._operand.last >= 1 << 31:
            return x
        return self._f.cast("trunc", x, dtypes.int32)

    def _long(self, x: Value) -> Value:
        """Returns an offset as memory is addressed."""
        return x if x.dtype is dtypes.int64 else self._f.cast("zext nneg", x, dtypes.int64)

    def load(self, first: Value, stage: Index, is_there: Value | None = None) -> list[Piece]:
        """Loads a strip that begins at a product, or begins to copy it to an element on; nothing
        is copied where it is not there.
        """
        f, operand = self._f, self._operand
        found: list[Piece] = []
        start = self._short(first)
        for begin, number, to in zip(self._begins, self._numbers, self._places, strict=True):
            product, inside = f.add(start, number), None
            if not self._is_whole:
                inside = f.compare("lt", product, self._products)
            if len(operand.summed) == 1:
                more = f.mul(start, operand.step(operand.summed[0]))
            else:
                more = self._short(f.index(place(f, self._long(product), operand.summed, operand)))
            at = self._long(f.add(begin, more))
            if self.copies:
                target = self._room, f.add_index(to, stage)
                if is_there is not None:
                    inside = is_there if inside is None else f.bit_and(inside, is_there)
                f.copy_to_shared(target, (self._pointer, at), operand.dtype, inside)
                continue
            if inside is not None:
                at = f.select(inside, at, operand.offset)
            x = f.load(self._pointer, at, operand.dtype, self._width)
            found.append((x, inside))
        return found

    def store(self, pieces: Sequence[Piece], stage: Index) -> None:
        """Puts the pieces of a strip into shared memory, from an element on."""
        f, layout = self._f, self._layout
        step = layout.product if self._operand.is_along_products else layout.outer
        for (x, inside), to in zip(pieces, self._places, strict=not self.copies):
            if inside is not None:  # Zeros change no sum.
                x = f.select(inside, x, constant(0, x.dtype, x.width))
            x = operations.convert(f, x, layout.dtype)
            at = f.add_index(to, stage)
            if step == 1:
                f.store(x, self._room, at)
                continue
            for lane in range(x.width):
                value = x if x.width == 1 else f.lane(x, lane)
                f.store(value, self._room, f.add_index(at, lane * step))


def _extent(axes: Sequence[Axis]) -> int:
    found = 1
    for axis in axes:
        found *= axis.extent
    return found
