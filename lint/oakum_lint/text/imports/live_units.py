"""Which units of a file a finding can begin in, by the names in them alone.

What is traced, what traces, and every array comes from an import: of a library with tracers, or of
code that may use one. A unit that names nothing which leads to such an import is inert: called with
nothing known, it has nothing that a rule could report. So no list says which words matter. The one
exception is `x.at[i]`: how it goes on says that `x` is an array, whatever leads to it.

Invariant: a unit that is not live holds nothing that a rule can report unless live code reaches it,
which then has it analysed.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from oakum_lint.text.bindings import UnitKind
from oakum_lint.text.triggers import ImportedModule, imported_modules

_UPDATES = re.compile(r"\.at\[")
_IMPORTS_BY_NAME = re.compile(r"\b(?:import_module|__import__)\(")


class TextUnit(Protocol):
    """A top-level statement, its kind and the names that it binds (None: it has to be parsed)."""

    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> UnitKind: ...
    @property
    def binds(self) -> frozenset[str] | None: ...
    @property
    def variables(self) -> frozenset[str]: ...


U = TypeVar("U", bound=TextUnit)


def live_units(units: Sequence[U], is_host: Callable[[ImportedModule], bool]) -> frozenset[U]:
    """The units from whose names a chain of names leads to an import that is not of the host's
    libraries (`is_host`): those know no tracers. So are those with updates of arrays.
    """
    names = {unit: unit.variables for unit in units}
    bound_somewhere = frozenset[str]().union(*(unit.binds or names[unit] for unit in units))
    users: dict[str, list[U]] = {}
    for unit, used in names.items():
        for name in used & bound_somewhere:
            users.setdefault(name, []).append(unit)
    live = {
        unit
        for unit, used in names.items()
        if _imports(unit, used, is_host) or _UPDATES.search(unit.text) is not None
    }
    stack = list(live)
    spread: set[str] = set()
    while stack:
        unit = stack.pop()
        bound: Iterable[str] | None = unit.binds
        if bound is None:
            if unit.kind == "import":  # a star import may bind any name
                return frozenset(units)
            bound = names[unit]
        for name in bound:
            if name not in spread:
                spread.add(name)
                reached = [user for user in users.get(name, ()) if user not in live]
                live.update(reached)
                stack += reached
    return frozenset(live)


def _imports(
    unit: TextUnit, used: frozenset[str], is_host: Callable[[ImportedModule], bool]
) -> bool:
    """Whether a unit has an import in it of what may know tracers."""
    if "import" in used and not all(map(is_host, imported_modules(unit.text))):
        return True
    return "import" in unit.text and _IMPORTS_BY_NAME.search(unit.text) is not None
