"""Random expressions over the variables and functions that can be named at a place."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from program_templates import ATOMS, TEMPLATES

T = TypeVar("T")

Below = Callable[[int], int]
"""Draws a number from zero to below its argument."""

_PART: Final = re.compile(r"<([a-z]+)>")


@dataclass(frozen=True, slots=True)
class Signature:
    """A function that expressions may call."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    result: str


class Scope:
    """The variables and functions that can be named at a place of the program."""

    def __init__(self, below: Below, outer: "Scope | None" = None) -> None:
        self.below = below
        self.variables: dict[str, str] = dict(outer.variables) if outer else {}
        self.functions: list[Signature] = list(outer.functions) if outer else []

    def pick(self, choices: Sequence[T]) -> T:
        """One of several, each as likely as the others."""
        return choices[self.below(len(choices))]

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.below(100) < percent

    def names(self, kind: str) -> list[str]:
        """The variables of a kind."""
        return [name for name, found in self.variables.items() if found == kind]

    def expression(self, kind: str, depth: int = 2) -> str:
        """An expression that gives a value of a kind."""
        names = self.names(kind)
        if names and self.chance(85 if depth < 2 else 45):
            return self.pick(names)
        if depth == 0 or kind not in TEMPLATES:
            return self.pick(names) if names else self.pick(ATOMS[kind])
        calls = [signature for signature in self.functions if signature.result == kind]
        if calls and self.chance(35):
            return self.call(self.pick(calls), depth - 1)
        if not names and self.chance(30):
            return self.pick(ATOMS[kind])
        return self.fill(self.pick(TEMPLATES[kind]), depth - 1)

    def call(self, signature: Signature, depth: int) -> str:
        """A call of a function, some of its arguments by name."""
        arguments: list[str] = []
        named = False
        for name, kind in signature.parameters:
            named = named or (self.chance(15) and name.isidentifier())
            value = self.expression(kind, depth)
            arguments.append(f"{name}={value}" if named else value)
        return f"{signature.name}({', '.join(arguments)})"

    def fill(self, template: str, depth: int) -> str:
        """A template with expressions in the place of its parts."""
        return _PART.sub(lambda match: self._part(match[1], depth), template)

    def _part(self, kind: str, depth: int) -> str:
        text = self.expression(kind, depth)
        return text if _is_closed(text) else f"({text})"


def _is_closed(text: str) -> bool:
    """Whether a text can stand before a dot or beside an operator as it is."""
    if re.fullmatch(r"[A-Za-z_][\w.]*(\([^()]*\))?", text):
        return True
    if not text.startswith("("):
        return False
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(text) - 1
    return False
