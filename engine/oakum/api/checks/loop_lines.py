"""What the lines of a function do with loops and with what they show, read from its instructions.

Lines are those of the instructions, so a call over several lines is found by its positions.
"""

from __future__ import annotations

import dis
from collections.abc import Mapping
from types import CodeType
from typing import Final

from oakum.api.checks.jax_frames import by_code
from oakum.values.records import dataclass

_SHOWING: Final = frozenset(
    "print pprint format write writelines debug info warning error log log_metric log_metrics "
    "add_scalar scalar set_postfix set_postfix_str set_description echo".split()
)
"""Functions and methods that show what they get, of Python's and of those that log training."""
_CONVERTING: Final = ("asarray", "array")


@dataclass(frozen=True, slots=True)
class LoopLines:
    """The lines at which loops begin again, those that show values, and those that make a variable
    an array of NumPy, with the names of the module and of the variable.
    """

    heads: frozenset[int]
    showing: frozenset[int]
    converted: Mapping[int, tuple[str, str]]


@by_code
def of_code(code: CodeType) -> LoopLines:
    """Returns what the lines of a function do."""
    return _of_instructions(list(dis.get_instructions(code)))


def _of_instructions(instructions: list[dis.Instruction]) -> LoopLines:
    lines = {each.offset: _span(each)[0] for each in instructions}
    heads: set[int] = set()
    starts: set[int] = set()
    showing: set[int] = set()
    converted: dict[int, tuple[str, str]] = {}
    spans: list[tuple[int, int]] = []
    for at, each in enumerate(instructions):
        name = each.opname
        if "JUMP" in name and isinstance(each.argval, int) and each.argval < each.offset:
            heads.add(lines.get(each.argval, 0))
        elif name.startswith("LOAD") and each.argval in _SHOWING:
            starts.add(_span(each)[0])
        elif name.startswith("LOAD") and each.argval in _CONVERTING:
            names = [
                str(other.argval)
                for other in (instructions[at - 1], *instructions[at + 1 :][:2])
                if other.opname.startswith("LOAD") and other.opname != "LOAD_CONST"
            ]
            if len(names) == 2:
                converted[_span(each)[0]] = (names[0], names[1])
        elif name.startswith("CALL"):
            spans.append(_span(each))
        elif name.startswith("FORMAT_"):
            showing.update(range(_span(each)[0], _span(each)[1] + 1))
    for first, last in spans:
        if first in starts:
            showing.update(range(first, last + 1))
    return LoopLines(frozenset(heads - {0}), frozenset(showing - {0}), converted)


def _span(instruction: dis.Instruction) -> tuple[int, int]:
    """Returns the first and the last line of an instruction's source; 0 where it has none."""
    positions = instruction.positions
    first = positions.lineno if positions is not None else None
    last = positions.end_lineno if positions is not None else None
    return first or 0, last or first or 0
