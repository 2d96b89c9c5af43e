"""What a sweep is written into: a place in the loops of a nest, and the nest's function."""

from __future__ import annotations

from typing import Protocol

from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.loops.interleaved_access import Interleaving
from oakum.compile.loops.loop_ir import Affine, Buffer, Nest, Sweep
from oakum.values.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Cursor:
    """A point in the code: the index of each axis, and the lanes in use."""

    axes: dict[int, Index]
    width: int = 1
    active: int | None = None
    """The number of lanes that count; None for all."""
    slots: dict[int, Value] = field(default_factory=dict[int, Value])

    def at(
        self, axis: int, index: Index, width: int | None = None, active: int | None = None
    ) -> Cursor:
        """Returns the cursor within one more loop."""
        return Cursor(
            {**self.axes, axis: index},
            self.width if width is None else width,
            self.active if width is None else active,
            self.slots,
        )


class NestContext(Protocol):
    """What a sweep has to know of its nest and of the function that it is written into."""

    function: Function

    @property
    def nest(self) -> Nest:
        """The nest that is written."""
        ...

    @property
    def vector_axis(self) -> int | None:
        """The vectorised axis; None for scalars."""
        ...

    @property
    def masks(self) -> bool:
        """Whether what is left over behind whole vectors is done with masked lanes."""
        ...

    def rest_width(self, rest: int, width: int) -> int:
        """Returns the lanes for what is left over, at most those of whole vectors."""
        ...

    def interleaving(self, sweep: Sweep) -> Interleaving:
        """Returns the accesses of a sweep that are interleaved along the vectorised axis."""
        ...

    def pointer(self, buffer: Buffer) -> str:
        """Returns the address of a buffer."""
        ...

    def offset(self, value: Affine, cursor: Cursor) -> Index:
        """Returns the offset of the first lane."""
        ...
