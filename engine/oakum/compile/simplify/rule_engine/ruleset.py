"""Rules made ready: for an equation, those that may match it are found by a look-up.

A rule is tried where the primitive is that of its pattern's root, and the operands come from the
primitives that it asks for; each order of commutative operands is a rule of its own.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final

from oakum.compile.simplify.rule_engine.patterns import (
    CLASSES,
    ONES,
    Application,
    Constant,
    Number,
    Operand,
    Pattern,
    Rule,
    parse,
    root_of,
    variants,
)
from oakum.compile.simplify.rule_engine.rewriting import Rewrite, rewrite_of

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
