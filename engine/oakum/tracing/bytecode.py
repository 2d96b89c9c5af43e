"""Finds out from the bytecode how an instruction uses a value, also where there is no source.

A function that was typed into a prompt, given to `python -c` or changed on disk since it was
imported has no text to look at, but what Python runs is always known, and with it nearly always
what was written. Where two spellings become the same instructions, the more common one is taken.

Invariants:
- Nothing is run and no source is read.
- Importing this module imports only the standard library, codes and uses.
"""

from __future__ import annotations

import dis
from collections.abc import Sequence
from types import CodeType
from typing import Final

from oakum.values.codes import TRACED_SLICE_BOUND, TRACER_TO_SCALAR, Code
from oakum.values.records import dataclass
from oakum.values.uses import Use


@dataclass(frozen=True, slots=True)
class Asked:
    """A use that the bytecode shows, in words; `code` replaces the code of the use."""

    use: Use
    text: str
    code: Code | None = None


def find_use(use: Use, code: CodeType, offset: int) -> Asked | None:
    """Returns what the instruction at an offset uses a value for; None if it does not show that.

    `use` is what Python's own method call stands for.
    """
    instructions, place = _instructions(code, offset)
    if place < 0:
        return None
    here = instructions[place]
    match use:
        case Use.BOOL:
            return _truth(instructions, place)
        case Use.INDEX if _is_subscript(here):
            bound = here.opname == "BINARY_SLICE" or instructions[place - 1].opname == "BUILD_SLICE"
            text = "a slice of a sequence" if bound else "an index of a sequence"
            return Asked(Use.SEQUENCE_INDEX, text, TRACED_SLICE_BOUND if bound else None)
        case Use.ARRAY if here.opname == "STORE_SUBSCR":
            return Asked(Use.NUMPY_ITEM, "the assignment to an item")
        case Use.ARRAY if _is_subscript(here):
            return Asked(Use.NUMPY_INDEX, "an index")
        case Use.INT | Use.FLOAT | Use.COMPLEX if here.opname == "STORE_SUBSCR":
            return Asked(Use.NUMPY_ITEM, "the assignment to an item")
        case Use.INT | Use.FLOAT | Use.COMPLEX if here.argrepr in ("%", "%="):
            return Asked(
                Use.PERCENT_INTEGER if use is Use.INT else Use.PERCENT_FLOAT, "formatting with %"
            )
        case _:
            return _call(use, instructions, place)


def is_call(code: CodeType, offset: int) -> bool:
    """Whether the instruction at an offset calls something."""
    instructions, place = _instructions(code, offset)
    return place >= 0 and instructions[place].opname.startswith("CALL")


_SILENT: Final = ("CACHE", "EXTENDED_ARG", "NOP", "PRECALL", "NOT_TAKEN", "RESUME")


def _instructions(code: CodeType, offset: int) -> tuple[list[dis.Instruction], int]:
    """Returns the instructions of a code that do something, and which one stands at an offset."""
    found: list[dis.Instruction] = []
    place = -1
    for each in dis.get_instructions(code):
        if each.offset == offset:
            # What prepares a call, or a large argument, belongs to the next instruction.
            place = len(found)
        if each.opname not in _SILENT:
            found.append(each)
    return found, place if place < len(found) else -1


def _is_subscript(instruction: dis.Instruction) -> bool:
    name = instruction.opname
    return name in ("BINARY_SUBSCR", "BINARY_SLICE") or instruction.argrepr == "[]"


# --- truth ------------------------------------------------------------------------------------


def _truth(instructions: Sequence[dis.Instruction], place: int) -> Asked | None:
    here = instructions[place]
    if here.opname.startswith("CALL"):
        name = _callee(instructions, place)
        if name == "bool":
            return Asked(Use.BOOL, "bool(...)", TRACER_TO_SCALAR)
        return Asked(Use.BOOL, "bool()" if name is None else f"{name}(...)")
    if here.opname == "CONTAINS_OP":
        return Asked(Use.BOOL, "`in`")
    if here.opname in ("TO_BOOL", "COMPARE_OP") and place + 1 < len(instructions):
        place += 1
    name = instructions[place].opname
    if name == "UNARY_NOT":
        return Asked(Use.BOOL, "`not`")
    return _find_test(instructions, place) if "JUMP" in name and "IF" in name else None


def _find_test(instructions: Sequence[dis.Instruction], place: int) -> Asked:
    """Returns which construct a jump that tests a value belongs to."""
    jump, before = instructions[place], _before(instructions, place)
    if before[:3] == ["COMPARE_OP", "COPY", "SWAP"]:
        return Asked(Use.BOOL, "a comparison of three values")
    if jump.opname.endswith("_OR_POP") or before[:1] == ["COPY"]:
        return Asked(Use.BOOL, "`and` or `or`")
    if _is_followed_by_test(instructions, place):
        return Asked(Use.BOOL, "`and` or `or`")
    if _begins_loop(instructions, place):
        return Asked(Use.LOOP, "`while`")
    after = instructions[place + 1]
    on_failure = after if "TRUE" in jump.opname else _at(instructions, jump.argval)
    if on_failure is not None and "Assertion" in f"{on_failure.opname.title()}{on_failure.argrepr}":
        return Asked(Use.BRANCH, "`assert`")
    is_forward = isinstance(jump.argval, int) and jump.argval > jump.offset
    if "TRUE" in jump.opname and is_forward and not after.opname.startswith("JUMP_BACKWARD"):
        return Asked(Use.BOOL, "`not`")
    return Asked(Use.BRANCH, "`if`")


def _before(instructions: Sequence[dis.Instruction], place: int) -> list[str]:
    """Returns the names of the instructions before a jump, the nearest first, without the test
    itself.
    """
    names = [each.opname for each in instructions[max(0, place - 5) : place]][::-1]
    if names[:1] == ["TO_BOOL"]:
        del names[0]
    # From 3.12 on what is left of a comparison of three values is copied before it is tested.
    return names[1:] if names[:3] == ["COPY", "COMPARE_OP", "COPY"] else names


def _at(instructions: Sequence[dis.Instruction], offset: object) -> dis.Instruction | None:
    return next((each for each in instructions if each.offset == offset), None)


_ENDS: Final = (
    *("STORE_", "DELETE_", "POP_TOP", "RETURN_", "RAISE_", "FOR_ITER", "JUMP_FORWARD"),
    *("JUMP_BACKWARD", "YIELD_", "IMPORT_"),
)
"""Beginnings of the names of instructions with which an expression ends."""


def _is_followed_by_test(instructions: Sequence[dis.Instruction], place: int) -> bool:
    """Whether the rest of the line is another operand of an `and` or `or` that decides the same."""
    jump = instructions[place]
    line = _line(jump)
    for next_place in range(place + 1, len(instructions) - 1):
        each = instructions[next_place]
        if each.opname.startswith(_ENDS) or _line(each) != line:
            return False
        if "JUMP" in each.opname and "IF" in each.opname:
            return jump.argval in (each.argval, instructions[next_place + 1].offset)
    return False


def _line(instruction: dis.Instruction) -> int | None:
    return None if instruction.positions is None else instruction.positions.lineno


def _begins_loop(instructions: Sequence[dis.Instruction], place: int) -> bool:
    """Whether a jump back leads to what the jump at `place` tests, or to what follows it."""
    jump = instructions[place]
    if "BACKWARD" in jump.opname:
        start = _at(instructions, jump.argval)
        return start is not None and start.opname != "FOR_ITER"
    for each in instructions[place + 1 :]:
        back = each.argval
        if "JUMP_BACKWARD" not in each.opname or not isinstance(back, int):
            continue
        if not isinstance(jump.argval, int) or jump.argval <= each.offset:
            continue
        if back == instructions[place + 1].offset:
            return True
        test = [i for i in instructions[:place] if i.offset >= back]
        if back <= jump.offset and not any(i.opname.startswith(_ENDS) for i in test):
            return True
    return False


# --- calls ------------------------------------------------------------------------------------


def _call(use: Use, instructions: Sequence[dis.Instruction], place: int) -> Asked | None:
    if not instructions[place].opname.startswith("CALL"):
        return None
    name = _callee(instructions, place)
    if name is None:
        return None
    if use is Use.INDEX and name.rpartition(".")[2] == "getitem":
        use = Use.SEQUENCE_INDEX
    return Asked(use, f"{name}(...)")


def _callee(instructions: Sequence[dis.Instruction], place: int) -> str | None:
    """Returns the name of what is called, such as `np.sin`: its source begins where that of the
    call does, and a name is loaded before its attributes.
    """
    start = _start(instructions[place])
    if start is None:
        return None
    parts: list[str] = []
    for each in instructions[:place]:
        if _start(each) != start:
            continue
        if each.opname.startswith(("LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF")):
            parts = [str(each.argval)]
        elif each.opname in ("LOAD_ATTR", "LOAD_METHOD") and parts:
            parts.append(str(each.argval))
        elif each.opname != "PUSH_NULL":
            parts = []
    return ".".join(parts) or None


def _start(instruction: dis.Instruction) -> tuple[int, int] | None:
    positions = instruction.positions
    if positions is None or positions.lineno is None or positions.col_offset is None:
        return None
    return positions.lineno, positions.col_offset
