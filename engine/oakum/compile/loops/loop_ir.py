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

Offsets are affine sums: multiples of the axes of the loops around them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from oakum import config
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


@dataclass(frozen=True, slots=True)
class Affine:
    """`constant + sum(coefficient * axis)`, over the numbers of axes, without zero coefficients.

    >>> print(Affine.axis(0) * 12 + Affine.axis(2) + 5)
    12*a0 + a2 + 5
    """

    terms: tuple[tuple[int, int], ...] = ()
    """Pairs of an axis and its coefficient, by axis."""
    constant: int = 0

    @classmethod
    def axis(cls, number: int) -> Affine:
        """Returns the position along one axis."""
        return cls(((number, 1),))

    def __add__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        if not self.terms:
            return Affine(other.terms, self.constant + other.constant)
        if not other.terms:
            return Affine(self.terms, self.constant + other.constant)
        total = dict(self.terms)
        for axis, coefficient in other.terms:
            total[axis] = total.get(axis, 0) + coefficient
        terms = tuple(sorted((a, c) for a, c in total.items() if c))
        return Affine(terms, self.constant + other.constant)

    def __mul__(self, factor: int) -> Affine:
        if factor == 0:
            return ZERO
        if factor == 1:
            return self
        return Affine(tuple((a, c * factor) for a, c in self.terms), self.constant * factor)

    def __neg__(self) -> Affine:
        return self * -1

    def coefficient(self, axis: int) -> int:
        """Returns the distance that one step along an axis moves."""
        for number, coefficient in self.terms:
            if number == axis:
                return coefficient
        return 0

    def greatest(self, extents: Sequence[int]) -> int:
        """Returns the greatest value within the extents of the axes."""
        return self.constant + sum(max(c * (extents[a] - 1), 0) for a, c in self.terms)

    def least(self, extents: Sequence[int]) -> int:
        """Returns the least value within the extents of the axes."""
        return self.constant + sum(min(c * (extents[a] - 1), 0) for a, c in self.terms)

    def divide(self, divisor: int, extents: Sequence[int]) -> tuple[Affine, Affine] | None:
        """Returns the quotient and the remainder if both are affine, else None.

        >>> Affine(((0, 12), (1, 1))).divide(12, (5, 12))
        (Affine(terms=((0, 1),), constant=0), Affine(terms=((1, 1),), constant=0))
        >>> Affine(((0, 1),)).divide(12, (60,)) is None
        True
        """
        if divisor == 1:
            return self, ZERO
        whole, part = divmod(self.constant, divisor)
        quotient = Affine(
            tuple((a, c // divisor) for a, c in self.terms if c % divisor == 0), whole
        )
        rest = Affine(tuple((a, c) for a, c in self.terms if c % divisor), part)
        if rest.least(extents) < 0 or rest.greatest(extents) >= divisor:
            return None
        return quotient, rest

    def renamed(self, axes: Mapping[int, int]) -> Affine:
        """Returns the sum with renumbered axes; axes without a number have extent 1 and go."""
        return Affine(
            tuple(sorted((axes[a], c) for a, c in self.terms if a in axes)), self.constant
        )

    def __str__(self) -> str:
        parts = [f"a{a}" if c == 1 else f"{c}*a{a}" for a, c in self.terms]
        if self.constant or not parts:
            parts.append(str(self.constant))
        return " + ".join(parts)


ZERO = Affine()


@functools.lru_cache(4096)
def strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the strides of a shape in row-major order, in elements.

    >>> strides((2, 3, 4))
    (12, 4, 1)
    """
    return tuple(math.prod(shape[place + 1 :]) for place in range(len(shape)))


def linear(position: Sequence[Affine], shape: Sequence[int]) -> Affine:
    """Returns the row-major number of the element at a position."""
    total = ZERO
    for part, stride in zip(position, strides(tuple(shape)), strict=True):
        total = total + part * stride
    return total


def split(
    number: Affine, shape: Sequence[int], extents: Sequence[int]
) -> tuple[Affine, ...] | None:
    """Returns the position along each dimension of the element of a number; None if it is not
    affine.
    """
    found: list[Affine] = []
    for stride in strides(tuple(shape)):
        parts = number.divide(stride, extents) if stride else (ZERO, number)
        if parts is None:
            return None
        found.append(parts[0])
        number = parts[1]
    return tuple(found)


def checked(nest: Nest) -> Nest:
    """Returns the nest itself, verified where `jax_enable_checks` asks for it."""
    if config.enable_checks.value:
        from oakum.compile.loops.loop_verifier import verify

        verify(nest)
    return nest
