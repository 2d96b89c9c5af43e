"""Tiles of halves, multiplied by the matrix instruction of a warp: 16 rows, 8 columns and 16
products at a time, summed in float32.

Strips lie in shared memory as they do in memory; the instruction that loads matrices transposes
those that lie the other way about. Rows are so far apart that eight of them meet no bank twice.

Operands of float32 are rounded to 11 bits (TF32), and multiplied 8 products at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.nvptx.codegen.gpu_kernel import WARP, Kernel
from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.nvptx.lane_tiles import Put
from oakum.compile.nvptx.operand_strips import StripLayout
from oakum.compile.nvptx.product_operands import Operand
from oakum.compile.nvptx.product_tiling import Tiling
from oakum.dtypes import DType

_ROWS, _COLUMNS = 16, 8
"""What one instruction multiplies."""

_DOWN, _ACROSS = 2, 4
"""The warps of a block from top to bottom and from left to right."""

_PASSED: Final = 32
"""The rows of a warp that are finished at a time."""

_PADDING: Final = 8
"""Elements between rows of products: 16 bytes of halves; of float32 four rows, each of eight lanes,
meet no bank twice.
"""


class TensorCoreTiles:
    """The sums of the warps of one block."""

    _PRODUCTS = 16
    """The products that one instruction multiplies."""

    def __init__(self, f: Kernel, operands: tuple[Operand, Operand], tiling: Tiling) -> None:
        self._f, self._side, self._strip = f, tiling.side, tiling.strip
        self._dtype = operands[0].dtype
        lhs, rhs = (_layout(operand, tiling) for operand in operands)
        self.layouts = lhs, rhs
        self.passes = tiling.side // _DOWN // _PASSED
        self._down = tiling.side // _DOWN // _ROWS
        self._across = tiling.side // _ACROSS // _COLUMNS
        self._corners = self._lhs_corner(), self._rhs_corner()

    def _warp(self) -> tuple[Value, Value, Value]:
        """Returns the row and the column of the warp, and the lane in it."""
        f = self._f
        warp, lane = f.divide(f.thread(), WARP)
        down, across = f.divide(warp, _ACROSS)
        return down, across, lane

    def zeros(self) -> list[Value]:
        """Returns the sums of no products."""
        return [constant(0.0, dtypes.float32)] * (self._down * self._across * 4)

    def _lhs_corner(self) -> Index:
        """Returns where the row of a matrix is that a lane says the address of: matrices are the
        upper and lower rows of the first products, then of the last.
        """
        f, layout = self._f, self.layouts[0]
        down, _, lane = self._warp()
        high, low = f.divide(lane, 16)
        if layout.product == 1:
            row, product = low, f.mul(high, 8)
        else:
            matrix, line = f.divide(low, 8)
            row, product = f.mul(matrix, 8), f.add(f.mul(high, 8), line)
        return self._at(f.add(f.mul(down, self._side // _DOWN), row), product, layout)

    def _rhs_corner(self) -> Index:
        """Like that of the left one: matrices are the first and last products of eight columns,
        then of the next eight.
        """
        f, layout = self._f, self.layouts[1]
        _, across, lane = self._warp()
        high, low = f.divide(lane, 16)
        matrix, line = f.divide(low, 8)
        if layout.product == 1:
            column, product = f.add(f.mul(high, 8), line), f.mul(matrix, 8)
        else:
            column, product = f.mul(high, 8), low
        return self._at(f.add(f.mul(across, self._side // _ACROSS), column), product, layout)

    def _at(self, outer: Value, product: Value, layout: StripLayout) -> Index:
        f = self._f
        return f.add_index(f.mul_index(outer, layout.outer), f.mul_index(product, layout.product))

    def multiply(
        self, rooms: tuple[str, str], stages: tuple[Index, Index], totals: Sequence[Value]
    ) -> list[Value]:
        """Adds the products of a strip."""
        result = list(totals)
        for product in range(0, self._strip, self._PRODUCTS):
            rhs: list[list[Value]] = []
            for number in range(0, self._across, 2):
                found = self._matrices(1, rooms[1], stages[1], number * _COLUMNS, product)
                rhs += [found[:2], found[2:]]
            for down in range(self._down):
                x = self._matrices(0, rooms[0], stages[0], down * _ROWS, product)
                for across, y in enumerate(rhs):
                    at = 4 * (down * self._across + across)
                    result[at : at + 4] = self._product(x, y, result[at : at + 4])
        return result

    def _matrices(
        self, operand: int, room: str, stage: Index, outer: int, product: int
    ) -> list[Value]:
        """Loads four matrices of 8 rows of 8 halves."""
        f, layout = self._f, self.layouts[operand]
        at = f.add_index(self._corners[operand], stage)
        at = f.add_index(at, outer * layout.outer + product * layout.product)
        place, near = f.pointer(room, at, self._dtype), f.fresh("p")
        f.write(f"{near} = addrspacecast ptr {place} to ptr addrspace(3)")
        turned = "" if layout.product == 1 else ".trans"
        symbol = f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4{turned}.b16.p3"
        kinds = "{ i32, i32, i32, i32 }"
        f.declarations[f"declare {kinds} @{symbol}(ptr addrspace(3))"] = None
        text = f"call {kinds} @{symbol}(ptr addrspace(3) {near})"
        return self._members(text, kinds, dtypes.int32)

    def _product(
        self, lhs: Sequence[Value], rhs: Sequence[Value], totals: Sequence[Value]
    ) -> list[Value]:
        """Multiplies 16 rows by 8 columns."""
        symbol = "llvm.nvvm.mma.m16n8k16.row.col."
        symbol += "bf16" if self._dtype is dtypes.bfloat16 else "f32.f32"
        kind = "i32" if self._dtype is dtypes.bfloat16 else "<2 x half>"
        texts = [self._pair(x) for x in (*lhs, *rhs)]
        return self._multiplied(symbol, kind, texts, totals)

    def _multiplied(
        self, symbol: str, kind: str, texts: Sequence[str], totals: Sequence[Value]
    ) -> list[Value]:
        """Calls the instruction on six registers and four sums."""
        f, kinds = self._f, "{ float, float, float, float }"
        f.declarations[
            f"declare {kinds} @{symbol}({', '.join([kind] * 6)}, float, float, float, float)"
        ] = None
        arguments = ", ".join([f"{kind} {text}" for text in texts] + [x.typed for x in totals])
        return self._members(f"call {kinds} @{symbol}({arguments})", kinds, dtypes.float32)

    def _pair(self, x: Value) -> str:
        """Returns two halves as the instruction takes them."""
        if self._dtype is dtypes.bfloat16:
            return x.text
        found = self._f.fresh("h")
        self._f.write(f"{found} = bitcast {x.typed} to <2 x half>")
        return found

    def _members(self, text: str, kinds: str, dtype: DType) -> list[Value]:
        f, whole = self._f, self._f.fresh()
        f.write(f"{whole} = {text}")
        return [f.assign(f"extractvalue {kinds} {whole}, {n}", dtype, 1) for n in range(4)]

    def put(self, number: int, totals: Sequence[Value], put: Put) -> None:
        """Passes on the sums of a pass, with their rows among those of the pass."""
        f = self._f
        warp_down, warp_across, lane = self._warp()
        row, pair = f.divide(lane, 4)
        column = f.add(f.mul(warp_across, self._side // _ACROSS), f.mul(pair, 2))
        row = f.add(f.mul(warp_down, _PASSED), row)
        for part in range(_PASSED // _ROWS):
            down = number * (_PASSED // _ROWS) + part
            for across in range(self._across):
                at = 4 * (down * self._across + across)
                for half in (0, 1):
                    first, second = totals[at + 2 * half : at + 2 * half + 2]
                    both = f.with_lane(f.splat(first, 2), 1, second)
                    there = f.add(row, part * _ROWS + 8 * half)
                    put(there, f.add(column, across * _COLUMNS), both)

    def row(self, number: int, row: Value) -> Value:
        """Returns the row in the tile of a row of a pass."""
        f = self._f
        warp, rest = f.divide(row, _PASSED)
        return f.add(f.add(f.mul(warp, self._side // _DOWN), rest), number * _PASSED)


class RoundedTiles(TensorCoreTiles):
    """The sums of products of float32. Each lane loads its elements one by one: the instruction
    that loads matrices transposes halves only.
    """

    _PRODUCTS = 8

    def _lhs_corner(self) -> Index:
        down, _, lane = self._warp()
        return self._own(self._f.mul(down, self._side // _DOWN), lane, self.layouts[0])

    def _rhs_corner(self) -> Index:
        _, across, lane = self._warp()
        return self._own(self._f.mul(across, self._side // _ACROSS), lane, self.layouts[1])

    def _own(self, first: Value, lane: Value, layout: StripLayout) -> Index:
        """Returns where the first element of a lane is: a row of eight, and a product of four."""
        outer, product = self._f.divide(lane, 4)
        return self._at(self._f.add(first, outer), product, layout)

    def _matrices(
        self, operand: int, room: str, stage: Index, outer: int, product: int
    ) -> list[Value]:
        """Loads four elements of a lane: of the left one in the order of the rows, of the right one
        in that of the products.
        """
        f, layout, found = self._f, self.layouts[operand], list[Value]()
        at = f.add_index(self._corners[operand], stage)
        for number in range(4):
            high, low = divmod(number, 2)
            rows, products = (low, high) if operand == 0 else (high, low)
            more = (outer + 8 * rows) * layout.outer + (product + 4 * products) * layout.product
            x = f.load(room, f.add_index(at, more), dtypes.float32)
            found.append(self._rounded(x))
        return found

    def _rounded(self, x: Value) -> Value:
        symbol = "llvm.nvvm.f2tf32.rna"
        self._f.declarations[f"declare i32 @{symbol}(float)"] = None
        return self._f.assign(f"call i32 @{symbol}({x.typed})", dtypes.int32, 1)

    def _product(
        self, lhs: Sequence[Value], rhs: Sequence[Value], totals: Sequence[Value]
    ) -> list[Value]:
        symbol = "llvm.nvvm.mma.m16n8k8.row.col.tf32"
        return self._multiplied(symbol, "i32", [x.text for x in (*lhs, *rhs)], totals)


def _layout(operand: Operand, tiling: Tiling) -> StripLayout:
    if operand.is_along_products:
        pitch = tiling.strip + ACCESS // operand.dtype.itemsize
        return StripLayout(operand.dtype, pitch, 1, pitch * tiling.side)
    pitch = tiling.side + _PADDING
    return StripLayout(operand.dtype, 1, pitch, pitch * tiling.strip)
