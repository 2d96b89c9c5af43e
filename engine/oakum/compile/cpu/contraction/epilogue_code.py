"""Epilogues as code.

Positions along the dimensions of the result are digits of the numbers of batch item, row and
column, which contractions know.
"""

from __future__ import annotations

from oakum import dtypes
from oakum.compile.cpu.contraction.result_store import Fetch, Place, WriteEpilogue
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops import operations
from oakum.compile.loops.loop_ir import (
    Affine,
    Constant,
    Instruction,
    Load,
    Operation,
    Position,
    Slot,
)
from oakum.compile.problems.problem import Epilogue
from oakum.values.records import dataclass, field


def names_of(epilogue: Epilogue) -> tuple[str, ...]:
    """Returns the names of the pointers that the code takes: what it reads, and what it stores
    beside the result.
    """
    reads = [f"read{number}" for number in range(epilogue.reads)]
    return (*reads, *[f"other{number}" for number in range(1, len(epilogue.registers))])


def writer_of(epilogue: Epilogue) -> WriteEpilogue:
    """Returns what writes an epilogue, as contractions take it."""

    def write(f: Function, value: Value, place: Place) -> Value:
        return _Elements(f, epilogue, value, place).write()

    return write


def fetch_of(epilogue: Epilogue) -> Fetch:
    """Returns what prefetches the memory that an element's epilogue touches."""
    loads = {
        each.buffer: None
        for each in epilogue.instructions
        if isinstance(each, Load) and each.offset == epilogue.everywhere
    }

    def fetch(f: Function, offset: Index) -> None:
        for buffer in loads:
            f.prefetch(f"%read{buffer.number}", offset, buffer.dtype)
        for number, register in enumerate(epilogue.registers[1:], 1):
            dtype = epilogue.instructions[register].dtype
            f.prefetch(f"%other{number}", offset, dtype, written=True)

    return fetch


@dataclass(slots=True)
class _Elements:
    """Writes the epilogue of one vector."""

    f: Function
    epilogue: Epilogue
    value: Value
    place: Place
    registers: list[Value] = field(default_factory=list[Value])
    digits: dict[int, Index] = field(default_factory=dict[int, Index])

    def write(self) -> Value:
        """Writes the code, and returns what is stored in place of the result."""
        for each in self.epilogue.instructions:
            self.registers.append(self.instruction(each))
        first, *others = [self.read(register, self.width) for register in self.epilogue.registers]
        for number, value in enumerate(others, 1):
            self.f.store(value, f"%other{number}", self.place.offset, self.place.mask)
        return first

    @property
    def width(self) -> int:
        """The elements of the vector."""
        return self.value.width

    def read(self, number: int, width: int) -> Value:
        """Returns a register in all lanes."""
        instruction = self.epilogue.instructions[number]
        if isinstance(instruction, Constant):
            return constant(instruction.value, instruction.dtype, width)
        return self.f.splat(self.registers[number], width)

    def instruction(self, each: Instruction) -> Value:
        """Writes an instruction, for one lane if all lanes are equal."""
        match each:
            case Constant(value, dtype):
                return constant(value, dtype)
            case Slot():
                return self.value
            case Load():
                return self.load(each)
            case Position():
                return self.position(each)
            case Operation(name, operands, dtype, params):
                width = max((self.registers[r].width for r in operands), default=1)
                values = [self.read(r, width) for r in operands]
                return operations.write(self.f, name, dtype, values, params)

    def load(self, each: Load) -> Value:
        f, name = self.f, f"%read{each.buffer.number}"
        if each.offset == self.epilogue.everywhere:
            return f.load(name, self.place.offset, each.dtype, self.width, self.place.mask)
        at = self.offset(each.offset)
        if not self.step(each.offset):
            return f.load(name, at, each.dtype)
        return f.load(name, at, each.dtype, self.width, self.place.mask)

    def position(self, each: Position) -> Value:
        f = self.f
        first = operations.convert(f, f.index(self.offset(each.value)), each.dtype)
        step = self.step(each.value)
        if not step or self.width == 1:
            return first
        lanes = f.iota(each.dtype, self.width)
        return f.add(f.splat(first, self.width), lanes if step == 1 else f.mul(lanes, step))

    def step(self, value: Affine) -> int:
        """Returns the difference of a value from lane to lane."""
        _, rows, columns = self.epilogue.roles
        role = columns if self.place.column_step else rows
        return value.coefficient(role[-1]) if role else 0

    def offset(self, value: Affine) -> Index:
        """Returns a value in the first lane."""
        total: Index = value.constant
        for dimension, coefficient in value.terms:
            total = self.f.add_index(total, self.f.mul_index(self.digit(dimension), coefficient))
        return total

    def digit(self, dimension: int) -> Index:
        """Returns the position along a dimension, in the first lane."""
        found = self.digits.get(dimension)
        if found is None:
            numbers = self.place.batch, self.place.row, self.place.column
            for role, number in zip(self.epilogue.roles, numbers, strict=True):
                if dimension in role:
                    found = self.digits[dimension] = self.cut(role, dimension, number)
        assert found is not None
        return found

    def cut(self, role: tuple[int, ...], dimension: int, number: Index) -> Index:
        """Returns one digit of a number."""
        behind = 1
        for inner in role[role.index(dimension) + 1 :]:
            behind *= self.epilogue.extents[inner]
        if isinstance(number, int):
            number = constant(number, dtypes.int64)
        if behind > 1:
            number = self.f.binary("udiv", number, behind)
        if dimension != role[0]:
            number = self.f.binary("urem", number, self.epilogue.extents[dimension])
        return number
