"""What the statements of modules have needed of each other in one run, and what of that is the same
in a later one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain

from oakum.values.records import dataclass
from oakum_lint.domain.callables import Scope
from oakum_lint.syntax.reading import Place, Reading


@dataclass(frozen=True, slots=True)
class BodyRecord:
    """The statements of modules that have run, by the numbers in which they ended."""

    units: tuple[tuple[str, int], ...]
    """The file of each and its place in that."""
    needs: tuple[tuple[int, ...], ...]
    """What has to run where each of them does."""
    always: dict[int, str | None]
    """Those that have changed what is no name and no object, with what they have made of it in
    words; None where that is not the same in each run."""
    writers: dict[str, dict[str, tuple[int, ...]]]
    """What has bound the names of each file."""
    derivers: dict[int, tuple[int, ...]]
    """What has derived classes from those that each has made."""
    done: tuple[str, ...]
    """The files whose modules were imported."""
    places: tuple[frozenset[Place], ...] = ()
    """What each of them has read of functions and of units."""
    unbound: tuple[frozenset[str], ...] = ()
    """The names of modules that each of them has asked for and that none of them has bound."""

    def alike_in(
        self,
        later: "BodyRecord",
        moved: Mapping[str, Mapping[int, int]],
        own: Mapping[str, Collection[str]],
        changed: Collection[tuple[str, int]],
        reads_change: Callable[[frozenset[Place]], bool],
    ) -> "Alike | None":
        """What statements have done in a later run as in this one; None where that is not known of
        any. Of the files in `moved`, the units that are the same are named with their places there,
        and beside them those that have `changed` in their places; these may bind names of their
        `own`.
        """
        places = {unit: number for number, unit in enumerate(later.units)}
        new = frozenset(chain.from_iterable(own.values()))
        then: dict[int, int] = {}
        for number, (file, place) in enumerate(self.units):
            now = moved[file].get(place, -1) if file in moved else place
            if (file, now) in places:
                then[number] = places[file, now]
        different = {
            number
            for number, needed in enumerate(self.needs)
            if number not in then
            or self.units[number] in changed
            or not new.isdisjoint(self.unbound[number])
            or reads_change(self.places[number])
            or not _is_moved(needed, later.needs[then[number]], then)
            or not _is_moved(
                self.derivers.get(number, ()), later.derivers.get(then[number], ()), then
            )
        }
        different = self._depending_on(different)
        numbers = {number: now for number, now in then.items() if number not in different}
        in_order = [*numbers.values()]
        if (
            in_order != sorted(in_order)
            or not self._acts_alike(later, then, different)
            or set(self.done) != set(later.done)
        ):
            return None
        return Alike(numbers, self._rebound_in(later, then, own))

    def _acts_alike(
        self, later: "BodyRecord", then: Mapping[int, int], different: Collection[int]
    ) -> bool:
        """Whether what is no name and no object is changed as it was, in the same order, by the
        statements that have done what they did and by the `different`.
        """
        now = [then.get(number, -1) for number in self.always]
        return now == [*later.always] and all(
            number not in different or (effect is not None and effect == later.always[then[number]])
            for number, effect in self.always.items()
        )

    def _depending_on(self, first: Collection[int]) -> set[int]:
        """Some statements and all that need them."""
        dependents: dict[int, list[int]] = {}
        for number, needed in enumerate(self.needs):
            for each in needed:
                dependents.setdefault(each, []).append(number)
        found, pending = {*first}, [*first]
        while pending:
            new = {*dependents.get(pending.pop(), ())} - found
            found |= new
            pending += new
        return found

    def _rebound_in(
        self, later: "BodyRecord", then: Mapping[int, int], own: Mapping[str, Collection[str]]
    ) -> frozenset[str]:
        """The files of which a name is bound by other statements in a later run, but for the `own`
        names of statements.
        """
        found: set[str] = set()
        for file in self.writers.keys() | later.writers.keys():
            before, after = self.writers.get(file, {}), later.writers.get(file, {})
            if before.keys() != after.keys() - own.get(file, ()) or not all(
                _is_moved(several, after[name], then) for name, several in before.items()
            ):
                found.add(file)
        return frozenset(found)

    def unbound_of(self, reading: Reading) -> frozenset[str]:
        """The names of modules that were asked for and that none of the statements has bound."""
        return frozenset(
            name
            for owner, name in reading.names
            if isinstance(owner, Scope)
            and name not in self.writers.get(str(owner.module.facts.source.path), ())
        )

    def closure(self, first: Iterable[int]) -> frozenset[int]:
        """Some statements and all that they need."""
        found = {*self.always, *first}
        pending = [*found]
        while pending:
            for number in self.needs[pending.pop()]:
                if number not in found:
                    found.add(number)
                    pending.append(number)
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class Alike:
    """What is the same in a later run of the bodies of modules."""

    numbers: Mapping[int, int]
    """The statements that have done what they did, by their numbers, with those of then."""
    rebound: frozenset[str]
    """The files of which a name is bound by other statements."""


def _is_moved(before: Iterable[int], after: Iterable[int], then: Mapping[int, int]) -> bool:
    """Whether statements are those of before, by their numbers."""
    return {then.get(number) for number in before} == set(after)
