"""Elements: the registers of a sweep, built by the lowering rules of operations.

A place names an element by its position along each dimension or by its number in row-major order;
each is derived from the other if it is a sum of multiples of axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import dtypes
from oakum.compile.loops.loop_ir import (
    ZERO,
    Affine,
    Buffer,
    Constant,
    Instruction,
    Load,
    Operation,
    Position,
    Slot,
    linear,
    split,
    strides,
)
from oakum.compile.loops.operations import is_known
from oakum.dtypes import DType
from oakum.primitives.rules.lowering import Computed, Elementwise, Moved, Reshaped
from oakum.tracing.ir import Atom, Equation, Literal, Var
from oakum.values.avals import ShapedArray


class Unaligned(Exception):
    """Raised if an element's position cannot be derived from its number: the variable must be
    stored.
    """

    def __init__(self, var: Var | None = None) -> None:
        super().__init__()
        self.var = var

    @property
    def needed(self) -> Var:
        """The variable that must be in memory."""
        assert self.var is not None
        return self.var


class Unsupported(Exception):
    """Raised if there is no code for an operation."""


class Place:
    """The place of an element in an array."""

    __slots__ = ("_coordinates", "_number", "extents", "shape")

    def __init__(
        self,
        shape: Sequence[int],
        extents: Sequence[int],
        coordinates: Sequence[Affine] | None = None,
        number: Affine | None = None,
    ) -> None:
        self.shape = tuple(shape)
        self.extents = extents
        self._coordinates = None if coordinates is None else tuple(coordinates)
        self._number = number

    @property
    def number(self) -> Affine:
        """The number of the element in row-major order."""
        if self._number is None:
            assert self._coordinates is not None
            kept = [
                ZERO if size == 1 else part
                for size, part in zip(self.shape, self._coordinates, strict=True)
            ]
            self._number = linear(kept, self.shape)
        return self._number

    @property
    def coordinates(self) -> tuple[Affine, ...]:
        """The position along each dimension; raises `Unaligned` if there is none."""
        if self._coordinates is None:
            assert self._number is not None
            found = split(self._number, self.shape, self.extents)
            if found is None:
                raise Unaligned
            self._coordinates = found
        return self._coordinates

    def reshaped(self, shape: Sequence[int]) -> Place:
        """Returns the element of the same number in another shape."""
        if self.shape == tuple(shape):
            return self
        return Place(shape, self.extents, number=self.number)


class Body:
    """The instructions of a sweep under construction; equal instructions become one register."""

    def __init__(self) -> None:
        self.instructions: list[Instruction] = []
        self._known: dict[Instruction, int] = {}

    def add(self, instruction: Instruction) -> int:
        """Returns the register of an instruction."""
        found = self._known.get(instruction)
        if found is None:
            found = self._known[instruction] = len(self.instructions)
            self.instructions.append(instruction)
        return found

    def constant(self, number: complex, dtype: DType) -> int:
        """Returns the register of a number."""
        return self.add(Constant(number, dtype))

    def operation(
        self, name: str, dtype: DType, *registers: int, params: tuple[int | float, ...] = ()
    ) -> int:
        """Adds an operation; `dtype` is that of the result. Raises `Unsupported` if there is no
        code for it.
        """
        if not is_known(name, dtype):
            raise Unsupported(name)
        return self.add(Operation(name, registers, dtype, params))

    def index(self, value: Affine | int, dtype: DType) -> int:
        """Adds a position as a number of a dtype."""
        if isinstance(value, int) or not value.terms:
            whole = value if isinstance(value, int) else value.constant
            return self.constant(
                whole if dtype.kind is not dtypes.Kind.FLOAT else float(whole), dtype
            )
        if dtype is dtypes.int64 or dtype is dtypes.int32:
            return self.add(Position(value, dtype))
        if dtype.kind is dtypes.Kind.FLOAT or dtype.bits > 32:
            wide = self.add(Position(value, dtypes.int64))
        else:
            wide = self.add(Position(value, dtypes.int32))
        return self.operation("convert_element_type", dtype, wide)

    def load(self, buffer: Buffer, offset: Affine, dynamic: int | None = None) -> int:
        """Adds a load from a buffer."""
        return self.add(Load(buffer, offset, dynamic))

    def slot(self, number: int, dtype: DType) -> int:
        """Adds the value of a slot."""
        return self.add(Slot(number, dtype))


Resolve = Callable[[Var, Place], int]
Read = Callable[[Var, Affine, int | None], int]


class _Operand:
    """An operand as lowering rules see it."""

    def __init__(self, atom: Atom, place: Place, builder: Builder) -> None:
        self._atom = atom
        self._place = place
        self._builder = builder
        aval = atom.aval
        self.shape: tuple[int, ...] = shape_of(aval)
        assert aval.dtype is not None
        self.dtype = aval.dtype

    def __call__(self, position: Sequence[Affine | int]) -> int:
        return self._builder.element(self._atom, self._at(position))

    def _at(self, position: Sequence[Affine | int]) -> Place:
        parts = [Affine((), p) if isinstance(p, int) else p for p in position]
        return Place(self.shape, self._place.extents, parts)

    def read(self, position: Sequence[Affine | int], dynamic: Sequence[int | None]) -> int:
        """Reads the element at a position known only at run time."""
        builder = self._builder
        total = builder.offset(dynamic, self.shape)
        if isinstance(self._atom, Literal):
            return builder.element(self._atom, self._place)
        return builder.read(self._atom, self._at(position).number, total)


class Builder:
    """Builds elements of results. `resolve` returns the register of an element of a variable,
    `read` that of an element in memory.
    """

    def __init__(self, body: Body, resolve: Resolve, read: Read) -> None:
        self.body = body
        self.resolve = resolve
        self.read = read

    def element(self, atom: Atom, place: Place) -> int:
        """Returns the register of an element of an operand."""
        return self._constant(atom) if isinstance(atom, Literal) else self.resolve(atom, place)

    def _constant(self, atom: Literal) -> int:
        assert atom.aval.dtype is not None
        return self.body.constant(atom.raw.item(), atom.aval.dtype)

    def operands(self, eqn: Equation, place: Place) -> list[_Operand]:
        """Returns an equation's operands as lowering rules see them."""
        return [_Operand(atom, place, self) for atom in eqn.inputs]

    def offset(self, dynamic: Sequence[int | None], shape: Sequence[int]) -> int | None:
        """Returns the register that run-time positions add to an element's number."""
        total: int | None = None
        for register, stride in zip(dynamic, strides(tuple(shape)), strict=True):
            if register is None:
                continue
            if stride != 1:
                factor = self.body.constant(stride, dtypes.int64)
                register = self.body.operation("mul", dtypes.int64, register, factor)
            if total is not None:
                register = self.body.operation("add", dtypes.int64, total, register)
            total = register
        return total

    def result(self, eqn: Equation, place: Place) -> int:
        """Returns the register of an element of an equation's result."""
        lower: Any = eqn.primitive.lower
        aval = eqn.outputs[0].aval
        assert aval.dtype is not None
        match lower:
            case Elementwise():
                registers = [
                    self._constant(atom)
                    if isinstance(atom, Literal)
                    else self.resolve(atom, place.reshaped(shape_of(atom.aval)))
                    for atom in eqn.inputs
                ]
                to = None if lower.converts is None else eqn.params[lower.converts]
                if to is not None:
                    convert = self.body.operation
                    registers = [convert("convert_element_type", to, each) for each in registers]
                params = () if lower.params is None else lower.params(**eqn.params)
                return self.body.operation(lower.name, aval.dtype, *registers, params=params)
            case Moved():
                (atom,) = eqn.inputs
                if isinstance(atom, Literal):
                    return self._constant(atom)
                shape = shape_of(atom.aval)
                position = lower.place(place.coordinates, shape, **eqn.params)
                parts = [Affine((), p) if isinstance(p, int) else p for p in position]
                return self.element(atom, Place(shape, place.extents, parts))
            case Reshaped():
                (atom,) = eqn.inputs
                return self.element(atom, place.reshaped(shape_of(atom.aval)))
            case Computed():
                operands = self.operands(eqn, place)
                return lower.rule(self.body, place.coordinates, aval, *operands, **eqn.params)
            case _:
                raise AssertionError(f"{eqn.primitive} has no elements")


def shape_of(aval: ShapedArray) -> tuple[int, ...]:
    """Returns the shape of a fully known aval."""
    return aval.shape  # pyright: ignore[reportReturnType]
