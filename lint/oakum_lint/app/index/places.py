"""Places in a project that stay the same where only bodies of functions change.

The statements of a function are its region in its unit, without those of the functions in it,
which are regions of their own: a module that makes an optimizer has run the function that makes it,
and not yet the one that updates. What stands behind the last statement in the same line, and the
lines below it that are empty or hold a comment that is indented as its statements are, belong to
the region, too: who types goes through that. All outside of regions is the frame of the
unit. A place in a region or in the frame is counted without the regions in it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.syntax.reading import Place, Reading
from oakum_lint.syntax.walk import parts_in
from oakum_lint.text.edits import FunctionName
from oakum_lint.text.trailing_lines import end_behind

Region = tuple[int, int]
"""Which of the functions of a unit that stand in no other, and which of those in it; 0 for itself.
So a function that comes or goes in one function leaves the numbers of all others."""
ALL: Final = (-1, 0)
"""Stands for the whole unit in a place."""
OUTSIDE: Final = (-1, 0)


def written_by(region: Region) -> Region:
    """Stands for what a function writes outside it, and those in it, in the place of its region:
    who asks for that alone learns nothing else of its statements.
    """
    return region[0], -1 - region[1]


def is_region(region: Region) -> bool:
    """Whether this stands for the statements of a function."""
    return region != ALL and region[1] >= 0


@dataclass(frozen=True, slots=True)
class Regions:
    """The functions of a unit in their order, and where their statements begin and end."""

    definitions: tuple[nodes.FunctionDefinition, ...]
    names: tuple[Region, ...]
    ends: tuple[int, ...]
    starts: tuple[int, ...] = field(init=False)
    parents: tuple[int, ...] = field(init=False)
    """For each the number of the function that it stands in; -1 where it stands in none."""

    def __post_init__(self) -> None:
        starts = [
            each.statements[0].start if each.statements else each.end for each in self.definitions
        ]
        parents: list[int] = []
        around: list[int] = []
        for number, each in enumerate(self.definitions):
            while around and self.definitions[around[-1]].end <= each.start:
                around.pop()
            parents.append(around[-1] if around else -1)
            around.append(number)
        object.__setattr__(self, "starts", tuple(starts))
        object.__setattr__(self, "parents", tuple(parents))

    def around(self, start: int) -> int:
        """The number of the innermost function in whose region something begins; -1 where it is
        in none.
        """
        number = bisect_right(self.starts, start) - 1
        while number >= 0 and start >= self.ends[number]:
            number = self.parents[number]
        return number

    def lineage(self, number: int) -> Iterator[int]:
        """A function and those around it, by their numbers."""
        while number >= 0:
            yield number
            number = self.parents[number]

    def overlapping(self, start: int, end: int) -> Iterator[Region]:
        """The regions of which a span may have something."""
        first = bisect_right(self.starts, start) - 1
        around = max(first, 0)
        while self.parents and self.parents[around] >= 0:
            around = self.parents[around]
        for number in range(around, len(self.starts)):
            if self.starts[number] >= end:
                return
            if self.ends[number] > start:
                yield self.names[number]

    def name(self, start: int) -> tuple[Region, int]:
        """A region and a place in it, or a place in the frame of the unit."""
        number = self.around(start)
        begin = 0 if number < 0 else self.starts[number]
        within = sum(
            self.ends[each] - self.starts[each]
            for each in self.within(number)
            if self.starts[each] <= start
        )
        return OUTSIDE if number < 0 else self.names[number], start - begin - within

    def shapes(self) -> dict[int, list[int]]:
        """How the functions in each function that stands in no other nest."""
        found: dict[int, list[int]] = {}
        first = 0
        for number, (top, place) in enumerate(self.names):
            first = number if place == 0 else first
            found.setdefault(top, []).append(self.parents[number] - first)
        return found

    def within(self, number: int) -> list[int]:
        """The numbers of the functions that stand in one and in no other in it; in the frame of the
        unit for -1.
        """
        found: list[int] = []
        for each in range(number + 1, len(self.parents)):
            if number >= 0 and self.starts[each] >= self.ends[number]:
                break
            if self.parents[each] == number:
                found.append(each)
        return found


def regions_of(unit: UnitFacts) -> Regions:
    """The regions of a unit whose statements are there."""
    lowered = unit.lowered
    tops = sorted(
        _functions_in(() if lowered is None else lowered.body), key=lambda each: each.start
    )
    definitions: list[nodes.FunctionDefinition] = []
    names: list[Region] = []
    # Most units have none in another, and need not be walked.
    has_more = unit.raw.count("def ") > len(tops)
    for number, top in enumerate(tops):
        definitions.append(top)
        names.append((number, 0))
        if has_more:
            inner = _nested_in(top)
            definitions += inner
            names += [(number, place + 1) for place in range(len(inner))]
    ends = tuple([end_behind(unit.raw, each.start, each.end) for each in definitions])
    return Regions(tuple(definitions), tuple(names), ends)


def _nested_in(top: nodes.FunctionDefinition) -> list[nodes.FunctionDefinition]:
    """The functions in a function, at any depth."""
    found: list[nodes.FunctionDefinition] = []
    pending = [top]
    while pending:
        inner = _functions_in(pending.pop().statements)
        found += inner
        pending += inner
    return sorted(found, key=lambda each: each.start)


def _functions_in(statements: Iterable[nodes.Node]) -> list[nodes.FunctionDefinition]:
    """The functions among statements that stand in no other of them."""
    found: list[nodes.FunctionDefinition] = []
    pending = [*statements]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.FunctionDefinition):
            found.append(node)
        elif isinstance(node, _HOLDING):
            pending.extend(parts_in(node))
    return found


_HOLDING = (
    nodes.ClassDefinition, nodes.If, nodes.For, nodes.While, nodes.With, nodes.Try, nodes.Handler,
    nodes.Match, nodes.MatchCase,
)  # fmt: skip
"""What may hold definitions that stand in no other function."""


class Atlas:
    """The places of one run."""

    def __init__(self) -> None:
        self._numbers: dict[ModuleFacts, dict[UnitFacts, int]] = {}
        self._regions: dict[UnitFacts, Regions] = {}
        self._owners: dict[int, Place] = {}
        """The places of definitions, by their identities."""

    def regions(self, unit: UnitFacts) -> Regions:
        """The regions of a unit, which has its statements."""
        found = self._regions.get(unit)
        if found is None:
            found = self._regions[unit] = regions_of(unit)
            file, number = file_of(unit.module), self.number(unit)
            for region, definition in zip(found.names, found.definitions, strict=True):
                self._owners[id(definition)] = (file, number, *region)
        return found

    def forget(self, unit: UnitFacts) -> None:
        """Forgets where the regions of a unit are, which have moved."""
        self._regions.pop(unit, None)

    def number(self, unit: UnitFacts) -> int:
        """The number of a unit in its file."""
        module = unit.module
        if module not in self._numbers:
            self._numbers[module] = {each: place for place, each in enumerate(module.units)}
        return self._numbers[module][unit]

    def unit_name(self, unit: UnitFacts) -> tuple[str, int]:
        """The file of a unit, and its number in that."""
        return file_of(unit.module), self.number(unit)

    def name_of(self, function: FunctionValue) -> FunctionName:
        """The name of a function in each run over the same frames."""
        return self.name_at(function.unit, function.definition.start)

    def name_at(self, unit: UnitFacts, start: int) -> FunctionName:
        """The name of the function that begins at a place of a unit."""
        region, place = self.regions(unit).name(start)
        return (file_of(unit.module), self.number(unit), *region, place)

    def note(self, modules: Iterable[ModuleFacts]) -> None:
        """Notes the regions of all units that have their statements by now."""
        for unit in (unit for module in modules for unit in module.units if unit.is_parsed):
            self.regions(unit)

    def places_in(self, reading: Reading) -> frozenset[Place]:
        """The places that were read, in units that are noted."""
        found: set[Place] = set()
        for definition in reading.bodies:
            place = self._owners.get(id(definition))
            if place is not None:
                found.add(place)
        for definition in reading.written:
            place = self._owners.get(id(definition))
            if place is not None:
                found.add((*place[:2], *written_by(place[2:])))
        for unit, start, end in reading.spans:
            file, number = file_of(unit.module), self.number(unit)
            if not unit.is_parsed:
                found.add((file, number, *ALL))
                continue
            found.update(
                (file, number, *each) for each in self.regions(unit).overlapping(start, end)
            )
        return frozenset(found)


def file_of(module: ModuleFacts) -> str:
    """The file of a module, as runs know it."""
    return str(module.source.path)
