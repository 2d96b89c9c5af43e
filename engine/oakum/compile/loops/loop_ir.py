"""The loop IR: what kernels do, element by element, without how.

A nest has outer axes and sweeps. For each position of the outer axes the sweeps are done in turn;
each goes over inner axes of its own, computes, stores, and reduces. What a sweep reduces over its
axes, or keeps, later sweeps of the nest know as slots. So softmax is one nest over the rows with
three sweeps over the row.

Invariants:
- Everything is frozen, and equal when it means the same.
- Instructions of a sweep are in order: each names earlier ones by their numbers. They have no
  effects but through stores.
- Axes are numbers; a nest knows their extents, all of them static and positive.
- Offsets count elements of the buffer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from oakum.compile.loops.affine import Affine
from oakum.dtypes import DType
from oakum.values.records import dataclass, replace

T = TypeVar("T", "Load", "Store")

Role = Literal["in", "out", "constant", "temporary", "stage"]


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory for elements of one dtype. A stage is one row that each thread has for itself."""

    number: int
    dtype: DType
    size: int
    role: Role

    @property
    def nbytes(self) -> int:
        """The bytes of the elements."""
        return self.size * self.dtype.itemsize

    def __str__(self) -> str:
        return f"{self.role}{self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A number; 0.0 and -0.0 are two, and NaN is itself."""

    value: complex
    dtype: DType

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constant):
            return NotImplemented
        return self.dtype is other.dtype and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash((repr(self.value), self.dtype))


@dataclass(frozen=True, slots=True)
class Load:
    """An element of a buffer, at an offset; `dynamic` is the register of an offset to be added."""

    buffer: Buffer
    offset: Affine
    dynamic: int | None = None

    @property
    def dtype(self) -> DType:
        """The dtype of the element."""
        return self.buffer.dtype


@dataclass(frozen=True, slots=True)
class Position:
    """A sum of multiples of axes as an integer."""

    value: Affine
    dtype: DType


@dataclass(frozen=True, slots=True)
class Slot:
    """What an earlier sweep of the nest reduced or kept."""

    number: int
    dtype: DType


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation on registers: see `operations.TABLE` for the names."""

    name: str
    operands: tuple[int, ...]
    dtype: DType
    params: tuple[int | float, ...] = ()


Instruction = Constant | Load | Position | Slot | Operation


@dataclass(frozen=True, slots=True)
class Store:
    """Puts a register into a buffer."""

    buffer: Buffer
    offset: Affine
    register: int
    dynamic: int | None = None


Monoid = Literal["add", "mul", "max", "min", "and", "or", "xor"]


@dataclass(frozen=True, slots=True)
class Reduce:
    """Combines a register over the axes of the sweep into a slot."""

    slot: int
    monoid: Monoid
    register: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Keeps a register of a sweep without axes as a slot."""

    slot: int
    register: int


@dataclass(frozen=True, slots=True)
class Sweep:
    """One pass over inner axes."""

    axes: tuple[int, ...]
    instructions: tuple[Instruction, ...]
    stores: tuple[Store, ...] = ()
    reduces: tuple[Reduce, ...] = ()
    keeps: tuple[Keep, ...] = ()


@dataclass(frozen=True, slots=True)
class Nest:
    """Sweeps for each position of the outer axes."""

    extents: tuple[int, ...]
    """The extent of each axis, by its number."""
    outer: tuple[int, ...]
    sweeps: tuple[Sweep, ...]

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """The buffers that are read or written, in order of appearance."""
        found: dict[Buffer, None] = {}
        for sweep in self.sweeps:
            for each in sweep.instructions:
                if isinstance(each, Load):
                    found[each.buffer] = None
            found.update((store.buffer, None) for store in sweep.stores)
        return tuple(found)

    def with_buffers(self, renamed: Mapping[Buffer, Buffer]) -> Nest:
        """Returns the nest with renamed buffers."""

        def moved(each: T) -> T:
            return replace(each, buffer=renamed.get(each.buffer, each.buffer))

        sweeps = [
            replace(
                sweep,
                instructions=tuple(
                    moved(each) if isinstance(each, Load) else each for each in sweep.instructions
                ),
                stores=tuple(moved(each) for each in sweep.stores),
            )
            for sweep in self.sweeps
        ]
        return replace(self, sweeps=tuple(sweeps))
