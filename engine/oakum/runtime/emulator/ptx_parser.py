"""PTX as data: kernels with their registers and instructions, shared memory, tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from oakum.runtime.emulator.ptx_types import BYTES, EmulationError
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: `@!%p1 ld.global.b32 %r1, [%rd1+4]`."""

    opcode: tuple[str, ...]
    operands: tuple[str, ...]
    guard: str | None
    """The register of the condition; None where it is always carried out."""
    negated: bool
    text: str


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel."""

    name: str
    parameters: tuple[str, ...]
    most_threads: int
    registers: Mapping[str, str]
    """The type of each register."""
    local: Mapping[str, int]
    """The offsets of variables in the memory of a thread."""
    local_bytes: int
    instructions: Sequence[Instruction]
    labels: Mapping[str, int]
    """The number of the instruction at each label."""


@dataclass(frozen=True, slots=True)
class Table:
    """A constant in global memory."""

    name: str
    type: str
    values: tuple[int, ...]
    count: int

    @property
    def nbytes(self) -> int:
        """The bytes of its elements."""
        return self.count * BYTES[self.type]


@dataclass(frozen=True, slots=True)
class ModuleText:
    """What one text of PTX declares."""

    kernels: tuple[KernelText, ...]
    tables: tuple[Table, ...]
    shared: Mapping[str, int]
    """The offsets of variables in the memory of a block."""
    shared_bytes: int


def parse(text: str) -> ModuleText:
    """Returns the kernels of a text, with what they share."""
    text = re.sub(r"//[^\n]*", "", text)
    tables = tuple(_table(found) for found in _TABLE.finditer(text))
    shared, shared_bytes = _layout(_SHARED.findall(text))
    kernels = tuple(_kernel(found) for found in _ENTRY.finditer(text))
    return ModuleText(kernels, tables, shared, shared_bytes)


_TABLE: Final = re.compile(
    r"\.(?:global|const)\s+\.align\s+\d+\s+\.(\w+)\s+([\w$.]+)(?:\[(\d+)\])?"
    r"(?:\s*=\s*\{?([^};]*)\}?)?;"
)
_SHARED: Final = re.compile(r"\.shared\s+\.align\s+(\d+)\s+\.(\w+)\s+([\w$.]+)(?:\[(\d+)\])?;")
_LOCAL: Final = re.compile(r"\.local\s+\.align\s+(\d+)\s+\.(\w+)\s+([\w$.]+)\[(\d+)\];")
_ENTRY: Final = re.compile(r"\.entry\s+([\w$.]+)\s*\((.*?)\)(.*?)\{\n(.*?)\n\}", re.DOTALL)
_REGISTERS: Final = re.compile(r"\.reg\s+\.(\w+)\s+(%\w+?)<(\d+)>;")
_REGISTER: Final = re.compile(r"\.reg\s+\.(\w+)\s+(%\w+);")
_DECLARATION: Final = re.compile(r"^\s*\.(reg|local|shared|loc|file|pragma)\b[^\n]*", re.MULTILINE)
_OPERAND: Final = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^,{}\[\]\s][^,]*")
_GUARDED: Final = re.compile(r"@(!?)(%\w+) (.*)")


def _table(found: re.Match[str]) -> Table:
    type, name, count, values = found.groups()
    numbers = tuple(int(x, 0) for x in (values or "").replace("\n", " ").split(",") if x.strip())
    return Table(name, type, numbers, int(count or 1))


def _layout(variables: Sequence[tuple[str, str, str, str]]) -> tuple[dict[str, int], int]:
    """Returns the offsets of variables one after the other, and the bytes of all."""
    places: dict[str, int] = {}
    end = 0
    for align, type, name, count in variables:
        end = -(-end // int(align)) * int(align)
        places[name] = end
        end += BYTES[type] * int(count or 1)
    return places, end


def _kernel(found: re.Match[str]) -> KernelText:
    name, declared, head, body = found.groups()
    parameters = [re.sub(r"\[.*", "", p.split()[-1]) for p in declared.split(",") if p.strip()]
    most = re.search(r"\.maxntid\s+(\d+)", head)
    local, local_bytes = _layout(_LOCAL.findall(body))
    registers = {
        f"{stem}{number}": type
        for type, stem, count in _REGISTERS.findall(body)
        for number in range(int(count))
    }
    registers.update((register, type) for type, register in _REGISTER.findall(body))
    instructions, labels = _instructions(_DECLARATION.sub("", body))
    return KernelText(
        name,
        tuple(parameters),
        int(most[1]) if most else 1024,
        registers,
        local,
        -(-local_bytes // 16) * 16,
        instructions,
        labels,
    )


def _instructions(body: str) -> tuple[list[Instruction], dict[str, int]]:
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    for part in re.findall(r"[^;:]+[;:]", body):
        text = " ".join(part[:-1].split())
        if part.endswith(":"):
            labels[text] = len(instructions)
            continue
        guarded = _GUARDED.match(text)
        guard, rest = (guarded[2], guarded[3]) if guarded else (None, text)
        if rest.startswith("."):
            raise EmulationError(f"not emulated: {text}")
        opcode, _, given = rest.partition(" ")
        operands = tuple(x.strip() for x in _OPERAND.findall(given))
        negated = bool(guarded and guarded[1])
        instructions.append(Instruction(tuple(opcode.split(".")), operands, guard, negated, text))
    return instructions, labels
