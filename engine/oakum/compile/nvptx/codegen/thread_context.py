"""What sweeps ask of kernels whose threads lie side by side: no masked lanes, no interleaving."""

from __future__ import annotations

from collections.abc import Mapping

from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.loops.interleaved_access import Interleaving
from oakum.compile.loops.loop_ir import Affine, Buffer, Nest, Sweep
from oakum.compile.loops.nest_context import Cursor


class ThreadContext:
    """Answers alike for all kernels; `vector_axis` is each kernel's own."""

    masks = False
    function: Function
    nest: Nest
    _pointers: Mapping[Buffer, str]

    def rest_width(self, rest: int, width: int) -> int:
        """Returns the lanes for what is left over: widths divide extents, so nothing is."""
        raise AssertionError(f"{rest} elements are left over of vectors of {width}")

    def interleaving(self, sweep: Sweep) -> Interleaving:
        """Returns no interleaved accesses: threads side by side have what is side by side."""
        return Interleaving(self.nest, sweep, None)

    def pointer(self, buffer: Buffer) -> str:
        """Returns the address of a buffer."""
        return self._pointers[buffer]

    def offset(self, value: Affine, cursor: Cursor) -> Index:
        """Returns the offset of the first lane."""
        f = self.function
        result: Index = value.constant
        for axis, coefficient in value.terms:
            result = f.add_index(result, f.mul_index(cursor.axes[axis], coefficient))
        return result
