"""Symbols: numbers that stand for the values in memory.

A symbol is a hash of how a value was computed: of the operation and the symbols of its operands.
Values with equal symbols are equal whatever the operations compute.

Memory is cells of so many bytes that all dtypes of a program are multiples; an element is several
cells, each with a symbol.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.steps import Plan
from oakum.values import host
from oakum.values.records import dataclass, field

NOTHING: Final = 0
"""The symbol of memory that was never written."""

_BITS: Final = (1 << 64) - 1
_ONE: Final = 0x9E3779B97F4A7C15
_TWO: Final = 0xBF58476D1CE4E5B9
"""Odd numbers whose bits are mixed well: those of Steele, Lea and Flood's SplitMix (2014)."""

_NEXT: Final = 0xD1B54A32D192ED03
"""What the symbol of each further cell of an element differs by."""


def mix(x: int, y: int) -> int:
    """Returns the symbol that follows from two."""
    z = (x * _ONE + y) & _BITS
    z = ((z ^ (z >> 29)) * _TWO) & _BITS
    return z ^ (z >> 32)


def mix_arrays(x: host.Array | int, y: host.Array | int) -> Any:
    """Returns the symbols that follow from arrays of them, or from an array and a symbol."""
    u = host.np.uint64
    x = u(x) if isinstance(x, int) else x
    y = u(y) if isinstance(y, int) else y
    z = x * u(_ONE) + y
    z = (z ^ (z >> u(29))) * u(_TWO)
    return z ^ (z >> u(32))


def symbol_of(*parts: object) -> int:
    """Returns the symbol of whatever can be hashed."""
    return mix(hash(parts) & _BITS, len(parts))


@dataclass(frozen=True, slots=True)
class Memory:
    """A range of cells that begins somewhere in an array of them."""

    cells: Any
    begin: int

    def at(self, cells: int) -> Memory:
        """Returns the memory that begins so many cells further."""
        return Memory(self.cells, self.begin + cells)

    def read(self, places: host.Array, width: int) -> Any:
        """Returns the symbols of elements of some cells, by the numbers of the elements."""
        first = places * width + self.begin
        found = self.cells[first]
        if width == 1:
            return found
        u = host.np.uint64
        for more in range(1, width):
            cells = self.cells[first + more]
            torn = cells != found + u((more * _NEXT) & _BITS)
            if torn.any():
                # Parts of several elements: a value that nobody has computed.
                found = host.np.where(torn, mix_arrays(found, cells), found)
        return found

    def write(self, places: host.Array, width: int, symbols: host.Array) -> None:
        """Puts symbols of elements in place, the last of those that go to one place."""
        first = places * width + self.begin
        for more in range(width):
            self.cells[first + more] = symbols + host.np.uint64((more * _NEXT) & _BITS)

    def whole(self, cells: int) -> Any:
        """So many cells, which change when they are written."""
        return self.cells[self.begin : self.begin + cells]

    def digest(self, cells: int) -> int:
        """Returns a symbol of so many cells together."""
        np = host.np
        weights = np.arange(1, 2 * cells + 1, 2, dtype=np.uint64)
        total = (mix_arrays(self.whole(cells), weights)).sum(dtype=np.uint64)
        return int(total)

    def has_nothing(self, cells: int) -> bool:
        """Returns whether some of so many cells was never written."""
        return bool((self.whole(cells) == host.np.uint64(NOTHING)).any())


def unwritten(cells: int) -> Memory:
    """New memory in which nothing is."""
    return Memory(host.np.zeros(cells, host.np.uint64), 0)


def made(cells: int, width: int, origin: int) -> Memory:
    """Memory with a symbol of its own in each element, which follows from that of the origin."""
    found = unwritten(cells)
    places = host.np.arange(cells // width)
    found.write(places, width, mix_arrays(places.astype(host.np.uint64), origin))
    return found


@dataclass(slots=True)
class Frame:
    """The memory of one call of a program."""

    plan: Plan
    inputs: Sequence[Memory]
    outputs: Sequence[Memory]
    arena: Memory | None
    """None where each variable has memory of its own."""
    own: dict[Buffer, Memory] = field(default_factory=dict[Buffer, Memory])
