"""What a change of a file may change of an analysis: the bodies of some functions alone, or more.

Invariants:
- Where the bodies of some functions have changed alone, what the bodies of modules do, which units
  wait, what can be found by a name and what imports connect is the same before and after.
- A file in which more has changed has the same kind, and declares the same members: what is looked
  for in all files is found where it was. Of any other file nothing is known.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from oakum.values.records import dataclass, replace
from oakum_lint.app.index.places import ALL, Region, Regions, file_of, regions_of, written_by
from oakum_lint.domain.project import Module
from oakum_lint.python.objects.written_paths import effect_of
from oakum_lint.python.statements.modules import can_wait
from oakum_lint.syntax.module import UnitFacts, rebinds_outer
from oakum_lint.syntax.nodes import FunctionDefinition
from oakum_lint.syntax.reading import Place, keeping
from oakum_lint.text.bindings import bound_names
from oakum_lint.text.members import declared_members
from oakum_lint.text.names import IDENTIFIER
from oakum_lint.text.triggers import imported_modules, imports_tracer_library, names_tracer_library

_TEXTS: Final = 32
"""So many texts are looked through once: the later one of a key is the earlier one of the next."""


def changed_places(
    before: Module, after: Module, unread: frozenset[int], wordings: Sequence[re.Pattern[str]]
) -> frozenset[Place] | None:
    """The functions whose bodies have changed in a file, and the units that nobody had read; None
    where it has changed otherwise.
    """
    units = list(zip(before.facts.units, after.facts.units, strict=False))
    if len(before.facts.units) != len(after.facts.units) or not _is_alike(before, after):
        return None
    if not all(_says_the_same(before, after, pattern) for pattern in wordings):
        return None
    found: set[Place] = set()
    file = file_of(after.facts)
    for number, (old, new) in enumerate(units):
        if old.binds != new.binds or not _stands_alike(before, old, new, after):
            return None
        if old.raw == new.raw:
            continue
        if _has_problem(old) or _has_problem(new):
            return None
        if number in unread:
            found.add((file, number, *ALL))
            continue
        changed = _changed_regions(before, old, new, after)
        if changed is None:
            return None
        found.add((file, number, *ALL))
        found.update((file, number, *region) for region in changed)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class InPlace:
    """The units of a file that differ, where each stands where it did, and is run when it was."""

    units: frozenset[int]
    own: frozenset[str]
    """Names that they bind, or may bind, beside those that they did."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file in which more has changed than the bodies of functions."""

    moved: dict[int, int]
    """The units whose texts are the same, by their numbers, with those that they have now."""
    binds_alike: bool
    """Whether the other units are sure to bind the names that they did."""
    in_place: InPlace | None
    """The other units, where all else in the file is as it was."""

    def of_run(self, file: str, units: Collection[tuple[str, int]]) -> "Rewritten":
        """The same of a file of whose units these have run; what runs on demand alone may not come
        to that now.
        """
        place = self.in_place
        if place is None or all((file, number) in units for number in place.units):
            return self
        return replace(self, in_place=None)


def rewritten(
    before: Module, after: Module, wordings: Sequence[re.Pattern[str]]
) -> Rewritten | None:
    """What has changed in a file; None where something looked for in all files may be found
    otherwise, as what is connected with it or who declares a member.
    """
    if not _is_of_a_kind(before, after) or not after.facts.is_accepted():
        return None
    old, new = before.facts.units, after.facts.units
    same = SequenceMatcher(None, [u.raw for u in old], [u.raw for u in new], autojunk=False)
    moved = {
        first + number: second + number
        for first, second, size in same.get_matching_blocks()
        for number in range(size)
    }
    kept = frozenset(moved.values())
    gone = [unit for number, unit in enumerate(old) if number not in moved]
    come = [unit for number, unit in enumerate(new) if number not in kept]
    if any(map(_has_problem, come)) or _members(gone) != _members(come):
        return None
    for pattern in wordings:
        if _all_captured(pattern, gone) != _all_captured(pattern, come):
            return None
    names, others = _bound(gone), _bound(come)
    binds_alike = names is not None and names == others
    return Rewritten(moved, binds_alike, _in_place(before, after, moved))


def _in_place(before: Module, after: Module, moved: Mapping[int, int]) -> InPlace | None:
    """The units that differ, if all units of a file stand where they did."""
    old, new = before.facts.units, after.facts.units
    if len(old) != len(new) or any(number != now for number, now in moved.items()):
        return None
    if not _is_alike(before, after):
        return None
    if not all(_stands_alike(before, *pair, after) for pair in zip(old, new, strict=True)):
        return None
    changed = frozenset(range(len(old))) - moved.keys()
    own: set[str] = set()
    for number in changed:
        first, second = old[number].raw, new[number].raw
        one, other = bound_names(first), bound_names(second)
        if one is None or other is None or not one <= other:
            return None
        own |= other - one
        if new[number].binds is None:
            # Who asks what may bind a name is answered with all such units that say it.
            own |= {*IDENTIFIER.findall(second)} - {*IDENTIFIER.findall(first)}
    return InPlace(changed, frozenset(own))


def _members(units: Iterable[UnitFacts]) -> list[str]:
    return [name for unit in units for name in declared_members(unit.raw)]


def _all_captured(
    pattern: re.Pattern[str], units: Iterable[UnitFacts]
) -> list[tuple[str | None, ...]]:
    return [groups for unit in units for groups in _captured(pattern, unit.raw)]


def _bound(units: Iterable[UnitFacts]) -> set[str] | None:
    """The names that units bind; None where they do not say so at sight."""
    found: set[str] = set()
    for unit in units:
        if unit.binds is None:
            return None
        found |= unit.binds
    return found


def _is_alike(before: Module, after: Module) -> bool:
    """Whether a file is of the same kind, and imports the same."""
    old, new = before.facts.source.text, after.facts.source.text
    return _is_of_a_kind(before, after) and imported_modules(old) == imported_modules(new)


def _is_of_a_kind(before: Module, after: Module) -> bool:
    """Whether a file is of the same kind, and says the same names before they are bound."""
    old, new = before.facts.source.text, after.facts.source.text
    return (
        before.says_global == after.says_global
        and _said_early(before) == _said_early(after)
        and before.facts.is_script == after.facts.is_script
        and imports_tracer_library(old) == imports_tracer_library(new)
        and names_tracer_library(old) == names_tracer_library(new)
    )


def _said_early(module: Module) -> list[tuple[str, frozenset[str]]]:
    return [(unit.raw, names) for unit, names in module.early]


def _has_problem(unit: UnitFacts) -> bool:
    """Whether a unit is no Python, or nests too deeply to be parsed."""
    return bool(unit.nesting.excess or unit.syntax_errors)


def _stands_alike(before: Module, old: UnitFacts, new: UnitFacts, after: Module) -> bool:
    """Whether a unit is run when it was."""
    return (
        old.kind == new.kind
        and (old.raw == new.raw or [*declared_members(old.raw)] == [*declared_members(new.raw)])
        and before.is_live(old) == after.is_live(new)
        and can_wait(before, old) == can_wait(after, new)
    )


def _says_the_same(before: Module, after: Module, pattern: re.Pattern[str]) -> bool:
    """Whether each unit of a file says what it did."""
    units = zip(before.facts.units, after.facts.units, strict=True)
    pairs = [(old.raw, new.raw) for old, new in units if old.raw != new.raw]
    return all(_captured(pattern, old) == _captured(pattern, new) for old, new in pairs)


@lru_cache(maxsize=_TEXTS)
def _captured(pattern: re.Pattern[str], text: str) -> tuple[tuple[str | None, ...], ...]:
    return tuple([found.groups() for found in pattern.finditer(text)])


def _changed_regions(
    before: Module, old: UnitFacts, new: UnitFacts, after: Module
) -> frozenset[Region] | None:
    """The functions of a unit that have changed, beside those in them, and what they write; None
    where more has.
    """
    for unit in (old, new):
        if unit.problem is not None or unit.lowered is None or unit.lowered.from_whole:
            return None
    one, other = regions_of(old), regions_of(new)
    if _own(old, one, -1) != _own(new, other, -1):
        return None
    there = {name: number for number, name in enumerate(other.names)}
    shapes, later = one.shapes(), other.shapes()
    changed: set[int] = set()
    for number, name in enumerate(one.names):
        # Where a function has changed, those in it are others.
        if (
            one.parents[number] in changed
            or shapes[name[0]] != later[name[0]]
            or _own(old, one, number) != _own(new, other, there[name])
        ):
            changed.add(number)
    found = {one.names[number] for number in changed}
    for each in {around for number in changed for around in one.lineage(number)}:
        name = one.names[each]
        now = there.get(name)
        # A function that stands in no other finds nothing but what its module has.
        if now is None or not _writes_the_same(
            (before, old, one.definitions[each]),
            (after, new, other.definitions[now]),
            is_top=name[1] == 0,
        ):
            found.add(written_by(name))
    return frozenset(found)


def _writes_the_same(
    one: tuple[Module, UnitFacts, FunctionDefinition],
    other: tuple[Module, UnitFacts, FunctionDefinition],
    *,
    is_top: bool,
) -> bool:
    """Whether a function writes and names what it did, as far as its text says."""
    with keeping(None):
        first, second = (
            effect_of(unit, definition, module if is_top else None)
            for module, unit, definition in (one, other)
        )
    return first == second


def _own(unit: UnitFacts, regions: Regions, number: int) -> list[tuple[str, bool, bool]]:
    """What a function is beside the functions in it, or the frame of a unit for -1: the pieces of
    its text, each with what the `def` before it is known by to who runs that. Spaces and empty
    lines behind a unit are nothing: the next one comes later or sooner.
    """
    at, end = (0, len(unit.raw)) if number < 0 else (regions.starts[number], regions.ends[number])
    found: list[tuple[str, bool, bool]] = []
    is_generator = rebinds = False
    for each in regions.within(number):
        found.append((unit.raw[at : regions.starts[each]], is_generator, rebinds))
        definition, at = regions.definitions[each], regions.ends[each]
        is_generator = definition.is_generator
        rebinds = number >= 0 and rebinds_outer(unit, definition)
    last = unit.raw[at:end]
    return [*found, (last.rstrip() if number < 0 else last, is_generator, rebinds)]
