"""The first difference between two programs of one function."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final

from oakum.errors import Frame
from oakum.tracing.compile_logging import described
from oakum.tracing.ir import Atom, ClosedJaxpr, Concrete, Equation, Jaxpr, Literal, Var, subprograms
from oakum.values.records import dataclass

_PLAIN: Final = (bool, int, float, complex, str, bytes, type(None), enum.Enum)
"""Parameters that are compared: functions and objects are made for each trace."""
_NAMES: Final = frozenset({"name"})
"""Parameters that name a program and change nothing."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference as a sentence, and the user's line that makes it, where one is known."""

    text: str
    frame: Frame | None


class _Side:
    """A program that is compared: its variables by their numbers, and its constants."""

    def __init__(self, program: Jaxpr, consts: Sequence[Concrete]) -> None:
        self.program: Final = program
        self._numbers: Final[dict[Var, int]] = {}
        self._consts: Final = dict(zip(program.constvars, consts, strict=False))
        self.define((*program.constvars, *program.invars))

    def define(self, variables: Sequence[Var]) -> None:
        """Numbers new variables."""
        for each in variables:
            self._numbers[each] = len(self._numbers)

    def constant(self, atom: Atom) -> Concrete | None:
        """Returns the array that a literal or a constant is; None for what is computed."""
        return atom.val if isinstance(atom, Literal) else self._consts.get(atom)

    def number(self, atom: Atom) -> int:
        """Returns the number of a variable; -1 for a literal."""
        return -1 if isinstance(atom, Literal) else self._numbers.get(atom, -1)


def difference(one: ClosedJaxpr, two: ClosedJaxpr) -> Difference | None:
    """Returns the first difference between two programs; None where they are equal."""
    waiting = [(_Side(one.jaxpr, one.consts), _Side(two.jaxpr, two.consts))]
    while waiting:
        first, second = waiting.pop()
        equations, others = first.program.eqns, second.program.eqns
        for mine, theirs in zip(equations, others, strict=False):
            found = _between(mine, theirs, first, second)
            if found:
                return Difference(found, _place(theirs))
            first.define(mine.outputs)
            second.define(theirs.outputs)
            pairs = zip(subprograms(mine.params), subprograms(theirs.params), strict=False)
            waiting += [(_side(a), _side(b)) for a, b in pairs]
        if len(equations) != len(others):
            longer = max(equations, others, key=len)
            text = f"It has {len(equations)} operations, and the second time {len(others)}"
            return Difference(text, _place(longer[min(len(equations), len(others))]))
        pairs = zip(first.program.outvars, second.program.outvars, strict=False)
        for mine, theirs in pairs:
            if found := _atoms(mine, theirs, first, second):
                return Difference(f"{found}, in its result", None)
    return None


def _side(program: Jaxpr | ClosedJaxpr) -> _Side:
    if isinstance(program, ClosedJaxpr):
        return _Side(program.jaxpr, program.consts)
    return _Side(program, ())


def _place(equation: Equation) -> Frame | None:
    return equation.source[0].frame if equation.source else None


def _between(mine: Equation, theirs: Equation, first: _Side, second: _Side) -> str:
    """Returns the difference between two equations; "" where there is none."""
    if mine.primitive is not theirs.primitive or len(mine.inputs) != len(theirs.inputs):
        one, two = mine.primitive.name, theirs.primitive.name
        return f"An operation was {one}, and is {two} the second time"
    for one, two in zip(mine.inputs, theirs.inputs, strict=True):
        if found := _atoms(one, two, first, second):
            return found
    for name, value in mine.params.items():
        other = theirs.params.get(name)
        if name in _NAMES or not _is_plain(value) or not _is_plain(other):
            continue
        was, now = repr(value), repr(other)  # NaN is no other number than NaN
        if was != now:
            return f"`{name}` of {mine.primitive.name} was {was}, and is {now} the second time"
    return ""


def _atoms(one: Atom, two: Atom, first: _Side, second: _Side) -> str:
    """Returns the difference between two operands."""
    mine, theirs = first.constant(one), second.constant(two)
    if mine is None and theirs is None:
        if first.number(one) != second.number(two):
            return "An operation has another operand the second time"
        return ""
    if mine is None or theirs is None:
        return "An operand is a constant only one of the two times"
    if mine is theirs or _is_equal(mine, theirs):
        return ""
    return f"A constant was {_text(mine)}, and is {_text(theirs)} the second time"


def _is_equal(mine: Concrete, theirs: Concrete) -> bool:
    if mine.aval != theirs.aval:
        return False
    one, two = getattr(mine, "raw", None), getattr(theirs, "raw", None)
    if one is None or two is None:
        return True  # A value without data is none that changes.
    return bool(one.tobytes() == two.tobytes())


def _text(value: Concrete) -> str:
    if value.aval.shape == ():
        return str(value)
    return f"an array of {described(value.aval)}"


def _is_plain(value: object) -> bool:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting += each
        elif not isinstance(each, _PLAIN):
            return False
    return True
