"""Places in a project that stay the same where only bodies of functions change.

The statements of a function that stands in no other are its region in its unit. All outside of
regions is the frame of the unit: a place in it is counted without the regions before it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from oakum.values.records import dataclass
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.groups.known import Name
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.syntax.reading import Reading
from oakum_lint.syntax.walk import parts_in

Place = tuple[str, int, int]
"""A file, the number of a unit in it, and that of a region in that; `ALL` for the whole unit."""
ALL = -1
OUTSIDE = -1


@dataclass(frozen=True, slots=True)
class Regions:
    """The functions of a unit that stand in no other, in their order, and where their statements
    begin and end.
    """

    definitions: tuple[nodes.FunctionDefinition, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def around(self, start: int) -> int:
        """The number of the region in which something begins; `OUTSIDE` where it is in none."""
        number = bisect_right(self.starts, start) - 1
        return number if number >= 0 and start < self.ends[number] else OUTSIDE

    def overlapping(self, start: int, end: int) -> Iterator[int]:
        """The numbers of the regions of which a span has something."""
        for number in range(max(bisect_right(self.starts, start) - 1, 0), len(self.starts)):
            if self.starts[number] >= end:
                return
            if self.ends[number] > start:
                yield number

    def name(self, start: int) -> tuple[int, int]:
        """A region and a place in it, or a place in the frame of the unit."""
        number = self.around(start)
        if number != OUTSIDE:
            return number, start - self.starts[number]
        before = bisect_right(self.starts, start)
        within = sum(self.ends[each] - self.starts[each] for each in range(before))
        return OUTSIDE, start - within


def regions_of(unit: UnitFacts) -> Regions:
    """The regions of a unit whose statements are there."""
    found: list[nodes.FunctionDefinition] = []
    lowered = unit.lowered
    pending: list[nodes.Node] = [] if lowered is None else [*lowered.body]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.FunctionDefinition):
            found.append(node)
        elif isinstance(node, _HOLDING):
            pending.extend(parts_in(node))
    found.sort(key=lambda each: each.start)
    starts = tuple(each.statements[0].start if each.statements else each.end for each in found)
    return Regions(tuple(found), starts, tuple(each.end for each in found))


_HOLDING = (
    nodes.ClassDefinition, nodes.If, nodes.For, nodes.While, nodes.With, nodes.Try, nodes.Handler,
    nodes.Match, nodes.MatchCase,
)  # fmt: skip
"""What may hold definitions that stand in no function."""


class Atlas:
    """The places of one run."""

    def __init__(self) -> None:
        self._numbers: dict[ModuleFacts, dict[UnitFacts, int]] = {}
        self._regions: dict[UnitFacts, Regions] = {}
        self._owners: dict[int, Place] = {}
        """The places of definitions that stand in no other, by their identities."""

    def regions(self, unit: UnitFacts) -> Regions:
        """The regions of a unit, which has its statements."""
        found = self._regions.get(unit)
        if found is None:
            found = self._regions[unit] = regions_of(unit)
            file, number = file_of(unit.module), self.number(unit)
            for region, definition in enumerate(found.definitions):
                self._owners[id(definition)] = (file, number, region)
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

    def name_of(self, function: FunctionValue) -> Name:
        """The name of a function in each run over the same frames."""
        unit = function.unit
        region, place = self.regions(unit).name(function.definition.start)
        return (file_of(unit.module), self.number(unit), region, place)

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
        for unit, start, end in reading.spans:
            file, number = file_of(unit.module), self.number(unit)
            if not unit.is_parsed:
                found.add((file, number, ALL))
                continue
            found.update(
                (file, number, each) for each in self.regions(unit).overlapping(start, end)
            )
        return frozenset(found)


def file_of(module: ModuleFacts) -> str:
    """The file of a module, as runs know it."""
    return str(module.source.path)
