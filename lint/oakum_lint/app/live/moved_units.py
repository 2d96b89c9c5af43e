"""A unit whose statements an analysis holds becomes the unit of a later text, in which nothing but
the bodies of some functions differs.

Invariants:
- Nodes and places outside of those bodies stay the objects that they are, and move: what the bodies
  of modules have left refers to them.
- A place that is part of a key cannot move, and neither can a loop outside of functions, whose span
  is known elsewhere: where one would have to, nothing is changed.
"""

import gc
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from operator import itemgetter
from typing import Final, cast

from oakum.values.records import dataclass, field, fields
from oakum_lint.app.index.places import Region, Regions, regions_of
from oakum_lint.app.live.observations import Spot
from oakum_lint.domain.callables import Site
from oakum_lint.domain.frames import Trace
from oakum_lint.domain.values import Origin
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.syntax.parse import offsets_of
from oakum_lint.syntax.reading import keeping
from oakum_lint.syntax.walk import parts_in

Place = Site | Origin
_PLACES: Final = (Site, Origin)
_LOOPS: Final = (nodes.For, nodes.While, nodes.Comprehension)


@dataclass(frozen=True, slots=True)
class UnitMove:
    """What has to move for a unit to become a later one, of which the bodies of the functions
    `changed` are new.
    """

    unit: UnitFacts
    later: UnitFacts
    changed: frozenset[Region]
    places: tuple[Place, ...]
    spots: tuple[Spot, ...]
    """What was noted for an editor. In a changed function nothing of that stands: who has read it
    runs again."""
    before: Regions = field(init=False)
    replaced: dict[int, nodes.FunctionDefinition] = field(init=False)
    """The outermost functions that have changed, by their numbers, as they are later."""
    bounds: tuple[tuple[int, int], ...] = field(init=False)
    """Where statements of functions begin and end, and how far they move; but for those within
    functions that are replaced."""

    def __post_init__(self) -> None:
        before, after = regions_of(self.unit), regions_of(self.later)
        numbers = {name: number for number, name in enumerate(after.names)}
        replaced: dict[int, nodes.FunctionDefinition] = {}
        bounds: list[tuple[int, int]] = []
        for number, name in enumerate(before.names):
            if any(each in replaced for each in before.lineage(before.parents[number])):
                continue
            then = numbers[name]
            if name in self.changed:
                replaced[number] = after.definitions[then]
            old, new = before.definitions[number].end, after.definitions[then].end
            bounds.append((before.starts[number], after.starts[then] - before.starts[number]))
            bounds.append((old, new - old))
            # No node begins at the end of a region, and one may end there.
            bounds.append((before.ends[number] + 1, after.ends[then] - before.ends[number]))
        object.__setattr__(self, "before", before)
        object.__setattr__(self, "replaced", replaced)
        object.__setattr__(self, "bounds", tuple(sorted(bounds)))

    def is_possible(self) -> bool:
        """Whether all that has to move can."""
        if self.unit.kind != "definition" or any(
            self._is_replaced(place.start) for place in self.places
        ):
            return False
        parents = (self.before.parents[number] for number in self.replaced)
        around = {-1}.union(*map(self.before.lineage, parents))
        return not any(
            isinstance(node, _LOOPS) and self.before.around(node.start) in around
            for node in self._behind()
        )

    def make(self) -> None:
        """Moves everything, and gives the changed functions their new statements."""
        for node in [*self._behind()]:
            for name in offsets_of(type(node)):
                setattr(node, name, self._moved(getattr(node, name)))
        for place in self.places:
            object.__setattr__(place, "start", self._moved(place.start))
            object.__setattr__(place, "end", self._moved(place.end))
        for spot in self.spots:
            spot.start, spot.end = self._moved(spot.start), self._moved(spot.end)
        for number, other in self.replaced.items():
            self.before.definitions[number].statements = other.statements

    def _is_replaced(self, start: int) -> bool:
        """Whether what begins somewhere stands in a function that is replaced."""
        around = self.before.lineage(self.before.around(start))
        return any(number in self.replaced for number in around)

    def _behind(self) -> Iterator[nodes.Node]:
        """The nodes of the unit that have their end behind the first change, without the statements
        that are replaced; each once.
        """
        first = min(self.before.starts[number] for number in self.replaced)
        replaced = {id(self.before.definitions[number]) for number in self.replaced}
        lowered = self.unit.lowered
        assert lowered is not None
        seen: set[int] = set()
        pending: list[nodes.Node] = [*lowered.body]
        while pending:
            node = pending.pop()
            if node.end < first or id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            if id(node) in replaced:
                assert isinstance(node, nodes.FunctionDefinition)
                pending += (node.parameters, *node.decorators)
                pending += () if node.returns is None else (node.returns,)
            else:
                with keeping(None):
                    pending.extend(parts_in(node))

    def _moved(self, offset: int) -> int:
        """Where what stands at an offset stands in the later text."""
        behind = bisect_right(self.bounds, offset, key=itemgetter(0)) - 1
        return offset if behind < 0 else offset + self.bounds[behind][1]


@dataclass(frozen=True, slots=True)
class HeldPlaces:
    """The places that an analysis holds when the bodies of its modules have ended."""

    by_unit: dict[UnitFacts, list[Place]]
    fixed: frozenset[UnitFacts]
    """The units of which some places are parts of keys."""

    def within(self, modules: Collection[ModuleFacts]) -> "HeldPlaces":
        """Those in some modules alone."""
        known = {id(module) for module in modules}
        units = {unit: held for unit, held in self.by_unit.items() if id(unit.module) in known}
        return HeldPlaces(units, self.fixed & units.keys())


def set_older_objects_apart() -> None:
    """Hides the objects that exist now from `held_places`. They belong to other analyses: to walk
    them for each of 500 open documents took more than five minutes.
    """
    gc.freeze()


def held_places(states: Iterable[object]) -> HeldPlaces:
    """The places made since `set_older_objects_apart`, by an analysis with these `states`. Traces,
    too, are compared by their places.
    """
    made = gc.get_objects()
    gc.unfreeze()
    by_unit: dict[UnitFacts, list[Place]] = {}
    fixed: set[UnitFacts] = set()
    for each in made:
        if isinstance(each, _PLACES):
            by_unit.setdefault(each.unit, []).append(each)
        elif isinstance(each, Trace):
            fixed.add(each.site.unit)
    for state in states:
        for each in fields(cast("type", type(state))):
            held = getattr(state, each.name)
            if isinstance(held, dict | set | frozenset):
                keys = cast("Iterable[object]", held)
                parts = (part for key in keys for part in _parts(key))
                fixed.update(part.unit for part in parts if isinstance(part, _PLACES))
    return HeldPlaces(by_unit, frozenset(fixed))


def _parts(key: object) -> Iterator[object]:
    """What a key is made of."""
    pending = [key]
    while pending:
        part = pending.pop()
        yield part
        if isinstance(part, tuple):
            pending += cast("tuple[object, ...]", part)
