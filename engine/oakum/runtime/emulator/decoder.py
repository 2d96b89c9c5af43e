"""Instructions as functions: each is decoded once, when its kernel is loaded.

A step is a function of the threads that are running (`ThreadBatch`) and of the numbers of those
that carry it out, None for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from oakum.runtime.emulator import async_copies, memory_access, warp_instructions
from oakum.runtime.emulator.arithmetic import meaning_of
from oakum.runtime.emulator.conversions import CLASSES, comparison, conversion
from oakum.runtime.emulator.fused import with_borrow, with_carry
from oakum.runtime.emulator.ptx_parser import Instruction, KernelText
from oakum.runtime.emulator.ptx_types import (
    BYTES,
    EmulationError,
    UnknownInstructionError,
    dtype_of,
    unsigned,
)
from oakum.runtime.emulator.warp_matrices import rounded
from oakum.values import host
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.runtime.emulator.thread_batch import ThreadBatch

Reader = Callable[["ThreadBatch", Any], Any]
Writer = Callable[["ThreadBatch", Any, Any], None]
Run = Callable[["ThreadBatch", Any], None]


class Kind(Enum):
    """What an instruction does to the order of instructions."""

    PLAIN = "plain"
    BRANCH = "branch"
    EXIT = "exit"
    BARRIER = "barrier"
    SHUFFLE = "shuffle"
    """What all lanes of a warp carry out together."""


@dataclass(frozen=True, slots=True)
class Step:
    """A decoded instruction."""

    kind: Kind
    text: str
    run: Run
    guard: Reader | None
    """Returns which threads carry it out; None where all do."""
    target: int
    """The number of the instruction that a branch leads to."""


_EXITS: Final = ("ret", "exit")
_BARRIERS: Final = ("bar", "barrier")
_OF_WARPS: Final = ("shfl", "ldmatrix", "mma")


class Decoder:
    """Decodes the instructions of a kernel; `symbols` are the addresses of variables."""

    def __init__(self, kernel: KernelText, symbols: Mapping[str, int]) -> None:
        self._kernel = kernel
        self._symbols = symbols
        self._numbers = {name: number for number, name in enumerate(kernel.registers)}

    def steps(self) -> list[Step]:
        """Returns the steps of the kernel."""
        return [self._step(each) for each in self._kernel.instructions]

    def _step(self, each: Instruction) -> Step:
        try:
            guard = None if each.guard is None else self._guard(each.guard, negated=each.negated)
            kind, target, run = Kind.PLAIN, 0, _nothing
            name = each.opcode[0]
            if name == "bra":
                kind, target = Kind.BRANCH, self._kernel.labels[each.operands[-1]]
            elif name in _EXITS:
                kind = Kind.EXIT
            elif name in _BARRIERS:
                if each.operands != ("0",) or guard is not None:
                    raise UnknownInstructionError("not emulated: a barrier of a part of the block")
                kind = Kind.BARRIER
            else:
                kind = Kind.SHUFFLE if name in _OF_WARPS else Kind.PLAIN
                run = self._run(each)
            return Step(kind, each.text, run, guard, target)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            detail = f"{type(error).__name__}: {error}"
            raise UnknownInstructionError(f"not emulated: {each.text} ({detail})") from error
        except UnknownInstructionError as error:
            raise UnknownInstructionError(f"{error}\n  at {each.text}") from None

    def _guard(self, register: str, *, negated: bool) -> Reader:
        read = self.reader(register, "pred")
        return (lambda t, at: ~read(t, at)) if negated else read

    def _run(self, each: Instruction) -> Run:
        name = each.opcode[0]
        special = Decoder.carry if _carries(each.opcode) else _SPECIAL.get(name)
        if special is not None:
            return special(self, each)
        meaning = meaning_of(each.opcode)
        given = each.operands[1 : 1 + len(meaning.operands)]
        readers = [self.reader(x, t) for x, t in zip(given, meaning.operands, strict=True)]
        return self._apply(each.operands[0], meaning.function, readers)

    def _apply(self, result: str, function: Callable[..., Any], readers: Sequence[Reader]) -> Run:
        write = self.writer(result)
        match readers:
            case [a]:
                return lambda t, at: write(t, at, function(a(t, at)))
            case [a, b]:
                return lambda t, at: write(t, at, function(a(t, at), b(t, at)))
            case _:
                return lambda t, at: write(t, at, function(*[read(t, at) for read in readers]))

    # Operands.

    def reader(self, operand: str, type: str) -> Reader:
        """Returns what reads an operand as a type."""
        if operand[0] == "%":
            return self._register_reader(operand, type)
        if operand[0] == "!":
            negated = self.reader(operand[1:], type)
            return lambda t, at: ~negated(t, at)
        value = self._immediate(operand, type)
        return lambda t, at: value

    def _register_reader(self, register: str, type: str) -> Reader:
        kind, size = dtype_of(type), BYTES[type]
        number = self._numbers.get(register)
        if number is None:
            if register not in SPECIAL_REGISTERS:
                raise UnknownInstructionError(f"not emulated: {register}")

            def special(t: ThreadBatch, at: host.Array | None) -> Any:
                value = t.special(register)
                return (value if at is None else value[at]).astype(kind)

            return special
        narrow = unsigned(size)
        whole_size = BYTES[self._kernel.registers[register]]
        is_whole = whole_size == size

        def read(t: ThreadBatch, at: host.Array | None) -> Any:
            value = t.registers[number]
            if value is None:  # What LLVM has no use for, it may take from anywhere.
                value = t.junk(unsigned(whole_size))
            if at is not None:
                value = value[at]
            return value.view(kind) if is_whole else value.astype(narrow).view(kind)

        return read

    def _immediate(self, operand: str, type: str) -> Any:
        np, kind = host.np, dtype_of(type)
        if operand[:2] in _FLOATS:  # The bits of a float, whatever type they are read as.
            number = int(operand[2:], 16)
            return np.asarray(number, unsigned(_FLOATS[operand[:2]])).view(kind)
        if type == "pred":
            return np.asarray(bool(int(operand)))
        found = self._symbols.get(operand)
        number = int(operand.rstrip("U"), 0) if found is None else found
        masked = number & ((1 << 8 * BYTES[type]) - 1)
        return np.asarray(masked, unsigned(BYTES[type])).view(kind)

    def writer(self, register: str) -> Writer:
        """Returns what puts values into a register: narrower ones with their sign or zeros."""
        if register == "_":
            return lambda t, at, value: None
        number, type = self._numbers[register], self._kernel.registers[register]
        kind = dtype_of(type) if type == "pred" else unsigned(BYTES[type])
        size = kind.itemsize

        def write(t: ThreadBatch, at: host.Array | None, value: host.Array) -> None:
            if value.dtype != kind:
                if value.dtype.itemsize != size or value.dtype == bool:
                    value = value.astype(f"i{size}" if value.dtype.kind == "i" else kind)
                value = value.view(kind)
            t.set_register(number, at, value, kind)

        return write

    # Instructions with operands of their own.

    def move(self, each: Instruction) -> Run:
        """`mov`, also of several registers as one."""
        to, source = each.operands
        type = each.opcode[-1]
        if to[0] == "{":
            writers = [self.writer(x) for x in _members(to)]
            read = self.reader(source, type)
            part = unsigned(BYTES[type] // len(writers))

            def split(t: ThreadBatch, at: host.Array | None) -> None:
                whole = host.np.ascontiguousarray(t.whole(read(t, at), at))
                parts = whole.view(part).reshape(-1, len(writers))
                for number, write in enumerate(writers):
                    write(t, at, host.np.ascontiguousarray(parts[:, number]))

            return split
        if source[0] == "{":
            members = _members(source)
            part_type = f"b{8 * BYTES[type] // len(members)}"
            readers = [self.reader(x, part_type) for x in members]
            write, kind = self.writer(to), unsigned(BYTES[type])

            def join(t: ThreadBatch, at: host.Array | None) -> None:
                parts = [t.whole(read(t, at), at) for read in readers]
                write(t, at, host.np.stack(parts, 1).reshape(-1).view(kind))

            return join
        return self._apply(to, _copied, [self.reader(source, type)])

    def address(self, each: Instruction) -> Run:
        """`cvta`: addresses of all spaces are generic here."""
        return self._apply(each.operands[0], _copied, [self.reader(each.operands[1], "u64")])

    def compare(self, each: Instruction) -> Run:
        """`setp`, also combined with another condition."""
        type, relation = each.opcode[-1], each.opcode[1]
        if type == "f16x2":
            return self._compare_pairs(each)
        if "|" in each.operands[0]:
            raise UnknownInstructionError("not emulated: a comparison with two results")
        compare = comparison(relation, type)
        readers = [self.reader(x, type) for x in each.operands[1:3]]
        joined = next((m for m in each.opcode[2:-1] if m in ("and", "or", "xor")), None)
        if joined is None:
            return self._apply(each.operands[0], compare, readers)
        join = meaning_of((joined, "pred")).function
        readers.append(self.reader(each.operands[3], "pred"))

        def both(a: host.Array, b: host.Array, c: host.Array) -> Any:
            return join(compare(a, b), c)

        return self._apply(each.operands[0], both, readers)

    def _compare_pairs(self, each: Instruction) -> Run:
        """`setp` of two halves in a register each, with a result for each half."""
        writers = [self.writer(x) for x in each.operands[0].split("|")]
        readers = [self.reader(x, "b32") for x in each.operands[1:3]]
        compare = comparison(each.opcode[1], "f16")

        def run(t: ThreadBatch, at: host.Array | None) -> None:
            pairs = [t.whole(read(t, at), at).view("f2").reshape(-1, 2) for read in readers]
            found = compare(*pairs)
            for number, write in enumerate(writers):
                write(t, at, found[:, number].copy())

        return run

    def classify(self, each: Instruction) -> Run:
        """`testp`."""
        test = CLASSES[each.opcode[1]]
        return self._apply(each.operands[0], test, [self.reader(each.operands[1], each.opcode[-1])])

    def carry(self, each: Instruction) -> Run:
        """`add.cc`, `addc`, `sub.cc` and `subc`: numbers of several registers, with a carry."""
        type = f"u{8 * BYTES[each.opcode[-1]]}"
        compute = with_borrow if each.opcode[0].startswith("sub") else with_carry
        readers = [self.reader(x, type) for x in each.operands[1:3]]
        write, sets = self.writer(each.operands[0]), "cc" in each.opcode
        takes, place = each.opcode[0].endswith("c"), len(self._numbers)

        def run(t: ThreadBatch, at: host.Array | None) -> None:
            a, b = [t.whole(read(t, at), at) for read in readers]
            flag = host.np.zeros(len(a), bool)
            if takes:
                kept = t.registers[place]
                flag = kept if at is None else kept[at]
            result, flag = compute(a, b, flag)
            write(t, at, result)
            if sets:
                t.set_register(place, at, flag, flag.dtype)

        return run

    def select(self, each: Instruction) -> Run:
        """`selp`."""
        type = each.opcode[-1]
        kinds = (type, type, "pred")
        readers = [self.reader(x, t) for x, t in zip(each.operands[1:], kinds, strict=True)]
        return self._apply(each.operands[0], _chosen, readers)

    def convert(self, each: Instruction) -> Run:
        """`cvt`, also of two floats to a pair of halves."""
        *modifiers, to, source = each.opcode[1:]
        given = each.operands[1:]
        if to == "tf32":
            return self._apply(each.operands[0], rounded, [self.reader(given[0], source)])
        readers = [self.reader(x, source) for x in given]
        if to != "f16x2":
            return self._apply(each.operands[0], conversion(modifiers, to, source), readers)
        half = host.np.float16

        def pair(high: host.Array, low: host.Array) -> Any:
            high, low = host.np.broadcast_arrays(high, low)
            parts = [low.astype(half), high.astype(half)]
            return host.np.stack(parts, -1).reshape(-1).view("u4")

        return self._apply(each.operands[0], pair, readers)

    def load_parameter(self, each: Instruction) -> Run:
        """`ld.param`: an argument of the launch."""
        place = self._kernel.parameters.index(each.operands[1].strip("[]"))
        write, kind = self.writer(each.operands[0]), unsigned(BYTES[each.opcode[-1]])
        return lambda t, at: write(t, at, host.np.asarray(t.arguments[place], kind))

    def load(self, each: Instruction) -> Run:
        """`ld`."""
        if "param" in each.opcode:
            return self.load_parameter(each)
        target, place = each.operands
        writers = [self.writer(x) for x in _members(target)]
        read = self.place(place)
        form = memory_access.Form.of(each.opcode, len(writers))

        def run(t: ThreadBatch, at: host.Array | None) -> None:
            values = memory_access.load(t, at, read(t, at), form)
            for value, write in zip(values, writers, strict=True):
                write(t, at, value)

        return run

    def store(self, each: Instruction) -> Run:
        """`st`."""
        place, source = each.operands
        readers = [self.reader(x, each.opcode[-1]) for x in _members(source)]
        read = self.place(place)
        form = memory_access.Form.of(each.opcode, len(readers))
        return lambda t, at: memory_access.store(
            t, at, read(t, at), form, [reader(t, at) for reader in readers]
        )

    def atomic(self, each: Instruction) -> Run:
        """`atom` and `red`."""
        returns = each.opcode[0] == "atom"
        write = self.writer(each.operands[0]) if returns else self.writer("_")
        place, *given = each.operands[1:] if returns else each.operands
        type = each.opcode[-1]
        readers = [self.reader(x, type) for x in given]
        read = self.place(place)
        form = memory_access.Form.of(each.opcode, 1)
        verb = next(m for m in each.opcode if m in memory_access.VERBS)

        def run(t: ThreadBatch, at: host.Array | None) -> None:
            values = [t.whole(reader(t, at), at) for reader in readers]
            write(t, at, memory_access.change(t, at, read(t, at), form, verb, values))

        return run

    def place(self, operand: str) -> Reader:
        """Returns what reads the address `[%rd1+4]`."""
        found = _ADDRESS.fullmatch(operand)
        if found is None:
            raise UnknownInstructionError(f"not emulated: the address {operand}")
        read, more = self.reader(found[1], "u64"), int(found[2] or 0)

        def address(t: ThreadBatch, at: host.Array | None) -> Any:
            return t.whole(read(t, at), at).astype("i8") + more

        return address


SPECIAL_REGISTERS: Final = frozenset(
    f"%{name}.{axis}" for name in ("tid", "ctaid", "ntid", "nctaid") for axis in "xyz"
) | {"%laneid"}
"""Registers with the numbers of threads and blocks."""

_FLOATS: Final = {"0f": 4, "0d": 8}

_ADDRESS: Final = re.compile(r"\[([%\w$.]+)(?:\s*\+\s*(-?\d+))?\]")


def _members(operand: str) -> list[str]:
    """Returns the registers of `{%r1, %r2}`, or of one register."""
    return [x.strip() for x in operand.strip("{}").split(",")]


def _copied(x: host.Array) -> Any:
    return x.copy()


def _chosen(x: host.Array, y: host.Array, condition: host.Array) -> Any:
    return host.np.where(condition, x, y)


def _carries(opcode: tuple[str, ...]) -> bool:
    return opcode[0] in ("addc", "subc") or (opcode[0] in ("add", "sub") and "cc" in opcode)


def _nothing(_: ThreadBatch, at: host.Array | None) -> None:
    del at


def _trap(_: Decoder, each: Instruction) -> Run:
    del each

    def run(_: ThreadBatch, at: host.Array | None) -> None:
        raise EmulationError("a trap")

    return run


_SPECIAL: Final[dict[str, Callable[[Decoder, Instruction], Run]]] = {
    "mov": Decoder.move,
    "cvta": Decoder.address,
    "setp": Decoder.compare,
    "selp": Decoder.select,
    "testp": Decoder.classify,
    "cvt": Decoder.convert,
    "ld": Decoder.load,
    "st": Decoder.store,
    "atom": Decoder.atomic,
    "red": Decoder.atomic,
    "shfl": warp_instructions.shuffle,
    "ldmatrix": warp_instructions.load_matrices,
    "mma": warp_instructions.multiply_matrices,
    "cp": async_copies.decode,
    "trap": _trap,
}
