"""The operands of a tile in shared memory: a strip of some products is loaded while the one before
it is multiplied.

Threads side by side load what lies side by side in memory, 16 bytes at a time where the layout
allows it: along the products of a row or column, or along rows or columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.nvptx.gpu_kernel import Kernel
from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.nvptx.product_tiling import THREADS
from oakum.compile.problems.contraction import Axis
from oakum.dtypes import DType
from oakum.values.records import dataclass

Array = Literal["lhs", "rhs", "result"]


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand of a product as it lies in memory."""

    array: Array
    pointer: str
    dtype: DType
    batch: tuple[Axis, ...]
    outer: tuple[Axis, ...]
    """The axes of rows, or of columns."""
    summed: tuple[Axis, ...]
    offset: int
    """The first element."""
    alignment: int
    """The bytes that the address is a multiple of."""

    def step(self, axis: Axis) -> int:
        """Returns the elements from one position along an axis to the next."""
        found: int = getattr(axis, self.array)
        return found

    @property
    def is_along_products(self) -> bool:
        """Whether products lie side by side in memory, rather than rows or columns."""
        if self.summed and self.step(self.summed[-1]) == 1:
            return True
        return not (self.outer and self.step(self.outer[-1]) == 1)

    @property
    def width(self) -> int:
        """The elements of an access: all accesses begin at multiples of them."""
        inner = self.summed if self.is_along_products else self.outer
        if not inner or self.step(inner[-1]) != 1:
            return 1
        steps = [self.step(axis) for axis in (*self.batch, *self.outer, *self.summed)]
        steps.remove(1)
        aligned = (self.offset, inner[-1].extent, *steps)
        width = min(ACCESS, self.alignment) // self.dtype.itemsize
        while width > 1 and any(number % width for number in aligned):
            width //= 2
        return max(width, 1)


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
    """Moves the strips of one operand."""

    def __init__(
        self,
        f: Kernel,
        operand: Operand,
        layout: StripLayout,
        side: int,
        strip: int,
    ) -> None:
        self._f, self._operand, self._layout = f, operand, layout
        self._count = _extent(operand.outer)
        self._products = _extent(operand.summed)
        self._is_whole = self._products % strip == 0
        lanes = side * strip // THREADS
        self._width = min(operand.width, lanes)
        self._pieces = lanes // self._width
        self._along = strip if operand.is_along_products else side
        self._begins: list[Index] = []
        """Where the pieces of a thread begin, but for the first product of the strip."""
        self._products_of: list[Value] = []
        self._stored: list[Index] = []

    def begin(self, batch: Value, first: Value) -> None:
        """Computes what is the same for all strips: `first` is the first row or column."""
        f, operand, layout = self._f, self._operand, self._layout
        start = f.add_index(place(f, batch, operand.batch, operand), operand.offset)
        thread = f.thread()
        for piece in range(self._pieces):
            number = f.add(thread, piece * THREADS)
            across, along = f.divide(number, self._along // self._width)
            along = f.mul(along, self._width)
            outer, product = (across, along) if operand.is_along_products else (along, across)
            self._stored.append(
                f.add_index(f.mul(outer, layout.outer), f.mul(product, layout.product))
            )
            self._products_of.append(product)
            at = f.add(first, outer)
            # Beyond the last row or column that one is read again, and nothing of it is stored.
            width = 1 if operand.is_along_products else self._width
            last = constant(self._count - width, at.dtype)
            at = f.select(f.below(at, self._count), at, last)
            begin = f.add_index(start, place(f, at, operand.outer, operand))
            if len(operand.summed) == 1:
                begin = f.add_index(begin, f.mul(product, operand.step(operand.summed[0])))
            self._begins.append(begin)

    def load(self, first: Value) -> list[Value]:
        """Loads the pieces of a strip that begins at a product."""
        f, operand = self._f, self._operand
        found: list[Value] = []
        for begin, product in zip(self._begins, self._products_of, strict=True):
            number, inside = f.add(first, product), None
            if not self._is_whole:
                inside = f.below(number, self._products)
            if len(operand.summed) == 1:
                more = f.mul_index(first, operand.step(operand.summed[0]))
            else:
                more = place(f, number, operand.summed, operand)
            at = f.index(f.add_index(begin, more))
            if inside is not None:
                at = f.select(inside, at, constant(operand.offset, at.dtype))
            x = f.load(operand.pointer, at, operand.dtype, self._width)
            if inside is not None:  # Zeros change no sum.
                x = f.select(inside, x, constant(0, operand.dtype, self._width))
            found.append(x)
        return found

    def store(self, pieces: Sequence[Value], room: str, stage: Value) -> None:
        """Puts the pieces of a strip into shared memory, from an element on."""
        f, layout = self._f, self._layout
        step = layout.product if self._operand.is_along_products else layout.outer
        for piece, at in zip(pieces, self._stored, strict=True):
            x = operations.convert(f, piece, layout.dtype)
            at = f.add_index(at, stage)
            if step == 1:
                f.store(x, room, at)
                continue
            for lane in range(x.width):
                value = x if x.width == 1 else f.lane(x, lane)
                f.store(value, room, f.add_index(at, lane * step))


def _extent(axes: Sequence[Axis]) -> int:
    found = 1
    for axis in axes:
        found *= axis.extent
    return found
