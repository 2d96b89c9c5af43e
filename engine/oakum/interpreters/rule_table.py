"""The tables in which a library sets the rules of its primitives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, Final

from oakum.extend.core.user_primitive import Primitive
from oakum.tracing import trace

Rule = Callable[..., Any]


Key = trace.Primitive | type
"""A primitive; a class where oakum does not have the one of JAX (`interop`)."""


class RuleTable(MutableMapping[Key, Rule]):
    """Rules by primitive; one that is set becomes a field of its primitive.

    The rules of oakum's own primitives are not in it, and cannot be replaced: programs are compiled
    with what they are.
    """

    def __init__(self, name: str, install: Callable[[Primitive, Rule], None]) -> None:
        self._name: Final = name
        self._install: Final = install
        self._rules: Final[dict[Key, Rule]] = {}

    def __setitem__(self, primitive: Key, rule: Rule) -> None:
        self._refuse_own(primitive)
        # One that oakum does not have is in no program: its rule is only kept.
        if isinstance(primitive, Primitive):
            self._install(primitive, rule)
        self._rules[primitive] = rule

    def __getitem__(self, primitive: Key) -> Rule:
        if primitive not in self._rules:
            self._refuse_own(primitive)
        return self._rules[primitive]

    def __delitem__(self, primitive: Key) -> None:
        raise NotImplementedError(f"a rule cannot be taken out of {self._name}: {primitive}")

    def __contains__(self, primitive: object) -> bool:
        return primitive in self._rules

    def __iter__(self) -> Iterator[Key]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def _refuse_own(self, primitive: Key) -> None:
        if isinstance(primitive, trace.Primitive) and not isinstance(primitive, Primitive):
            raise NotImplementedError(
                f"{self._name} has rules of primitives that libraries define; '{primitive}' is one "
                "of oakum's own"
            )
