"""Rules as data, and made ready: those that may match an equation are found by a look-up.

A rule is tried where the primitive is that of its pattern's root, and the operands come from the
primitives that it asks for; each order of commutative operands is a rule of its own.
"""

from __future__ import annotations

import enum
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum import dtypes
from oakum.compile.simplify.rule_engine.patterns import (
    CLASSES,
    ONES,
    Application,
    Constant,
    Number,
    Operand,
    Pattern,
    parse,
    root_of,
    variants,
)
from oakum.compile.simplify.rule_engine.rewriting import Rewrite, rewrite_of
from oakum.dtypes import DType
from oakum.tracing.ir import Atom
from oakum.tracing.trace import Primitive
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, field

_REMEMBERED: Final = 4096
"""The most selections of rules that are remembered; then all are dropped."""


class Ruleset:
    """Rules by the primitive of their root."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by_root: dict[str, list[Rule]] = {}
        self._entries: dict[str, Sequence[tuple[Application, Rewrite]]] = {}
        self._candidates: dict[Any, Sequence[Rewrite]] = {}
        for rule in rules:
            root = root_of(rule.pattern)
            for name in CLASSES.get(root, (root,)):
                self._by_root.setdefault(name, []).append(rule)

    def _entries_of(self, name: str) -> Sequence[tuple[Application, Rewrite]]:
        """What the rules for a primitive are, read when a program first has it."""
        found = self._entries.get(name)
        if found is None:
            rules = self._by_root.get(name, ())
            found = self._entries[name] = [each for rule in rules for each in _prepare(rule)]
        return found

    def candidates(self, name: str, heads: tuple[str, ...]) -> Sequence[Rewrite]:
        """Returns the rules for a primitive whose operands come from these primitives.

        The head of an operand is the name of the primitive that gives it, and for a known number
        `keys.head_of`, and after it the name.
        """
        key = (name, heads)
        found = self._candidates.get(key)
        if found is None:
            if len(self._candidates) >= _REMEMBERED:
                self._candidates.clear()
            entries = self._entries_of(name)
            found = [rewrite for pattern, rewrite in entries if _may_fit(pattern, heads)]
            self._candidates[key] = found
        return found


@functools.cache
def _prepare(rule: Rule) -> tuple[tuple[Application, Rewrite], ...]:
    """Returns a rule in each order of its operands."""
    found: list[tuple[Application, Rewrite]] = []
    for variant in variants(parse(rule.pattern)):
        assert isinstance(variant, Application)
        found.append((variant, rewrite_of(rule, variant)))
    return tuple(found)


def _may_fit(pattern: Application, heads: Sequence[str]) -> bool:
    count = len(pattern.arguments)
    if len(heads) < count or (len(heads) > count and not pattern.rest):
        return False
    return all(map(_head_fits, pattern.arguments, heads))


def _head_fits(pattern: Pattern, head: str) -> bool:
    number, _, name = head.partition(" ") if head.startswith("#") else ("", "", head)
    match pattern:
        case Operand():
            return True
        case Constant():
            return bool(number)
        case Number(value):
            return _number_fits(value, number)
        case Application(operation):
            return name in CLASSES.get(operation, (operation,))


def _number_fits(value: float | str, number: str) -> bool:
    if value == ONES:
        return number.endswith(ONES)
    shown = "-0" if value == 0 and math.copysign(1, float(value)) < 0 else f"{value:.0f}"
    return number.removeprefix("#").removesuffix(ONES) == shown


if TYPE_CHECKING:
    from oakum.compile.simplify.rule_engine.draft import Draft


class Group(enum.Enum):
    """What a rule may change."""

    EXACT = "exact"
    """Nothing: each bit of the result stays, but for which NaN it is."""
    ROUNDING = "rounding"
    """Rounding: terms are summed in another order, or what was rounded twice is rounded once."""
    LIMITS = "limits"
    """Results where a step on the way overflows or loses digits: they become the right ones."""


EVERY_GROUP: Final = frozenset(Group)

FLOATS: Final = frozenset((dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64))
WIDE_FLOATS: Final = frozenset((dtypes.float32, dtypes.float64))
"""The floats in which the host computes each step; narrower ones are rounded at the end only."""
COMPLEX: Final = frozenset((dtypes.complex64, dtypes.complex128))
SIGNED: Final = frozenset((dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64))
UNSIGNED: Final = frozenset((dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64))
INTEGERS: Final = SIGNED | UNSIGNED
BOOL: Final = frozenset((dtypes.bool_,))
BITS: Final = INTEGERS | BOOL
REALS: Final = INTEGERS | FLOATS
NUMBERS: Final = REALS | COMPLEX


class Match:
    """What the letters and names of a pattern stand for."""

    __slots__ = ("atoms", "draft", "params", "primitives", "rest", "result")

    def __init__(self, draft: Draft, result: ShapedArray) -> None:
        self.draft = draft
        self.result = result
        """The aval of the value that the pattern stands for."""
        self.atoms: dict[str, Atom] = {}
        self.params: dict[str, Mapping[str, Any]] = {}
        self.primitives: dict[str, Primitive] = {}
        """The primitives that classes stand for."""
        self.rest: tuple[Atom, ...] = ()
        """The further operands."""

    def shape(self, name: str) -> tuple[int, ...]:
        """Returns the shape of a value."""
        return self.atoms[name].aval.shape  # pyright: ignore[reportReturnType]

    def dtype(self, name: str) -> DType:
        """Returns the dtype of a value."""
        return self.atoms[name].aval.dtype  # pyright: ignore[reportReturnType]

    def number(self, name: str) -> Any:
        """Returns the number that a constant is, as a scalar array of the host."""
        literal = self.draft.uniform(self.atoms[name])
        assert literal is not None
        return literal.raw

    def filled(self, name: str, raw: Any) -> Atom:
        """Returns a number of the host as a value of the shape of another."""
        return self.draft.filled(raw, self.atoms[name].aval)


Bindings = Mapping[str, "Atom | Mapping[str, Any]"]
"""What further letters and names of a replacement stand for."""

Condition = Callable[[Match], "Bindings | None"]
"""Gives what the replacement needs beside the match; None where the rule does not apply."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, and what replaces it.

    `dtypes` are those of the value that `x` stands for, None for any. `single_use` says that the
    inner applications must have no other use, since they are computed again otherwise. `ulp` bounds
    by how many units in the last place a rule of another group than `EXACT` changes an element;
    None where sums are reordered: by a unit for each term of the sum of absolute values.
    """

    name: str
    pattern: str
    replacement: str
    doc: str
    dtypes: frozenset[DType] | None = None
    where: Condition | None = None
    group: Group = Group.EXACT
    ulp: int | None = field(default=0)
    single_use: bool = False

    def __str__(self) -> str:
        return f"{self.pattern} -> {self.replacement}"
