"""The ledger of the analysis of one part: what each group of its work reads, asks and finds, and
which groups need not run because nothing of that has changed.

Invariants:
- The groups that run see what they would see if all ran: the bodies of modules are run in any case,
  and what the groups before a group know comes from their records where they do not run.
- A group runs where it has read what has changed, where it has asked on which line something of a
  changed file stands, or where another group has come to know otherwise what it has asked.
- Where more has changed than bodies of functions that no statement of a module has read, all bodies
  of modules run, and a group too that has read anything of a file in which more has changed (where
  all other units stand where they did: of a unit in which it has), or what a statement has bound or
  made that does not do the same any more.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from oakum.values.records import dataclass, field, replace
from oakum_lint.app.index.changed_files import Rewritten, changed_places, rewritten
from oakum_lint.app.index.part_records import (
    FileRecord,
    GroupRecord,
    Knowledge,
    PartRecord,
    UnitName,
    Wording,
)
from oakum_lint.app.index.places import Atlas, file_of
from oakum_lint.domain.callables import Scope
from oakum_lint.domain.groups.bodies import BodyRuns, Needed
from oakum_lint.domain.groups.body_records import BodyRecord
from oakum_lint.domain.groups.known import Known
from oakum_lint.domain.groups.work import BODIES, Group
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Module, Project
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.syntax.reading import READINGS, Place, Reading
from oakum_lint.text.finding import Finding
from oakum_lint.text.notebook.names import is_joined
from oakum_lint.text.reads import Answers, kept_wording
from oakum_lint.text.source import Source


@dataclass(slots=True)
class _Running:
    """A group that has run."""

    reading: Reading
    known: tuple[Knowledge, ...] = ()
    needs: frozenset[int] | None = None


class Unforeseen(Exception):
    """The analysis is not the one of before with other bodies of functions: all of it is made."""


class NotRun(Exception):
    """A group needs of the bodies of modules what has not run: all of these have to."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What has changed since a part was kept."""

    files: frozenset[str]
    places: frozenset[Place]
    rewritten: Mapping[str, Rewritten] = field(default_factory=dict[str, Rewritten])
    """The files in which more has changed than the bodies of functions."""

    def of_run(self, run: Collection[UnitName]) -> "Changes":
        """The same where these statements have run; what runs on demand alone may have come to that
        otherwise.
        """
        units = frozenset(run)
        more = {file: each.of_run(file, units) for file, each in self.rewritten.items()}
        return replace(self, rewritten=more)

    def units(self) -> frozenset[UnitName]:
        """The units that have changed in these, where all others are what they were."""
        return frozenset(
            (file, number)
            for file, each in self.rewritten.items()
            if each.in_place is not None
            for number in each.in_place.units
        )

    def own(self) -> frozenset[str]:
        """The names that these bind, or may bind, beside those that they did."""
        places = (each.in_place for each in self.rewritten.values())
        return frozenset(name for place in places if place is not None for name in place.own)

    def files_moved(self) -> frozenset[str]:
        """Those in which other units are not where they were, or not what they were."""
        return frozenset(file for file, each in self.rewritten.items() if each.in_place is None)


@dataclass(slots=True)
class Ledger:
    """What is noted of one analysis of a part; with `record`, that of an earlier one."""

    record: PartRecord | None = None
    changes: Changes = field(default_factory=lambda: Changes(frozenset(), frozenset()))
    atlas: Atlas = field(default_factory=Atlas)
    ran: dict[str, _Running] = field(default_factory=dict[str, _Running])
    passed: list[str] = field(default_factory=list[str])
    """The groups that were met, in their order."""
    notes_bodies: bool = True
    """Whether it notes what the statements of modules need of each other."""
    by_need: bool = True
    """Whether those need not run whose results nobody reads."""
    bodies: BodyRecord | None = None
    runs: BodyRuns | None = None
    wanted: frozenset[int] | None = None
    """The statements of modules that have run; None for all."""
    taken: dict[str, GroupRecord] = field(default_factory=dict[str, GroupRecord])
    """What other processes have noted of groups, without what they have found."""
    wordings: dict[Wording, None] = field(default_factory=dict[Wording, None])
    """What these have looked for in whole files."""
    compares: bool = False
    """Whether the bodies of modules are compared with those of before: `record` has those groups
    alone then that read nothing of what they do otherwise."""

    def without_record(self) -> "Ledger":
        """A ledger of an analysis from the beginning."""
        return type(self)(notes_bodies=self.notes_bodies)

    def begins(self, machine: Machine, name: str) -> bool:
        """Notes that a group begins, if it has to run."""
        self.passed.append(name)
        if name == BODIES:
            self._begin_bodies(machine)
        if not self._must_run(machine, name):
            return False
        reading = Reading()
        self.ran[name] = _Running(reading)
        READINGS.now = reading
        return True

    def _begin_bodies(self, machine: Machine) -> None:
        self.wanted = self._wanted() if self.by_need else None
        if self.notes_bodies and not machine.assumptions:
            self.runs = machine.bodies = BodyRuns(machine)

    def _wanted(self) -> frozenset[int] | None:
        """The statements of modules that the groups need which have to run; None where these are
        not known, or have to say where something stands now.
        """
        record = self.record
        if record is None or record.bodies is None:
            return None
        if not record.groups[BODIES].placed.isdisjoint(self.changes.files):
            return None
        needed: set[int] = set()
        has_work = False
        for name, group in record.groups.items():
            if self.reads_change(name):
                if group.needs is None:
                    return None
                has_work = True
                needed.update(group.needs)
        return record.bodies.closure(needed) if has_work else frozenset()

    def needed(self, machine: Machine) -> Needed | None:
        """What has to run of the bodies of modules; None for all."""
        record, wanted = self.record, self.wanted
        if record is None or record.bodies is None or wanted is None:
            return None
        module_at = machine.project.module_at
        modules = {file: module_at(Path(file)) for file in record.bodies.done}
        units: list[tuple[Module, UnitFacts]] = []
        numbers: dict[UnitFacts, int] = {}
        for number in sorted(wanted):
            file, place = record.bodies.units[number]
            module = modules[file]
            if module is None:
                raise Unforeseen
            unit = module.facts.units[place]
            numbers[unit] = number
            units.append((module, unit))
        if self.runs is not None:
            self.runs.numbers = numbers
        READINGS.now = Reading()
        names = [name for name in record.groups if name != BODIES]
        return Needed([module for module in modules.values() if module is not None], units, names)

    def ended(self, machine: Machine, name: str) -> None:
        """Notes what a group has asked and come to know."""
        READINGS.now = None
        running = self.ran.get(name)
        if name == BODIES and self.runs is not None:
            machine.bodies = None
            self.runs.finish()
            if running is not None:
                for run in self.runs.runs:
                    running.reading.take_texts(run.reading)
                self.bodies = self.runs.record(self.atlas.unit_name)
            elif self.record is not None:
                self.bodies = self.record.bodies
        if name == BODIES and self.compares:
            self._compare()
        if running is None:
            return
        running.known = tuple(map(self._knowledge, machine.known.all()))
        if self.bodies is not None and self.runs is not None:
            running.needs = frozenset(self.runs.needs_of(self.bodies, running.reading.names))
            if self.wanted is not None and not running.needs <= self.wanted:
                raise NotRun

    def _knowledge(self, known: Known) -> Knowledge:
        name_of = self.atlas.name_of
        return Knowledge(
            {name_of(function): answer for function, answer in known.asked.values()},
            frozenset(name_of(function) for function in known.added.values()),
        )

    def _must_run(self, machine: Machine, name: str) -> bool:
        if self.record is None or (name == BODIES and self.wanted is None):
            return True
        group = self.record.groups.get(name)
        if group is None:
            if self.compares:
                return True
            raise Unforeseen
        if name != BODIES and self.has_changed(machine, name):
            if self.wanted is not None and (
                group.needs is None or not self.wanted.issuperset(group.needs)
            ):
                raise NotRun
            return True
        for known, own in zip(machine.known.all(), group.known, strict=True):
            known.take(own.added, self.atlas.name_of)
        return False

    def _compare(self) -> None:
        """Leaves of the groups in the record those of which it is not known that they have to run,
        with the statements that they need as these are now.
        """
        record = self.record
        assert record is not None
        before, later, alike = record.bodies, self.bodies, None
        if later is not None:
            self.changes = self.changes.of_run(later.units)
        units, new = self.changes.units(), self.changes.own()
        if before is not None and later is not None:
            moved: dict[str, Mapping[int, int]] = {}
            own: dict[str, frozenset[str]] = {}
            for file, each in self.changes.rewritten.items():
                moved[file] = each.moved
                if each.in_place is not None:
                    moved[file] = each.moved | {number: number for number in each.in_place.units}
                    own[file] = each.in_place.own
            alike = before.alike_in(later, moved, own, units, self._are_changed)
        groups = {BODIES: record.groups[BODIES]}
        if alike is not None:
            files = self.changes.files_moved() | alike.rebound
            for name, group in record.groups.items():
                needs = group.needs_in(alike.numbers)
                if (
                    name != BODIES
                    and needs is not None
                    and new.isdisjoint(group.unbound)
                    and not group.is_about(files, units)
                ):
                    groups[name] = replace(group, needs=needs)
        self.record = replace(record, groups=groups, bodies=later)

    def _are_changed(self, places: frozenset[Place]) -> bool:
        """Whether anything that was read has changed."""
        files, units = self.changes.files_moved(), self.changes.units()
        return not self.changes.places.isdisjoint(places) or any(
            place[0] in files or place[:2] in units for place in places
        )

    def look_at_work(self, groups: Iterable[Group]) -> None:
        """Has those groups run whose work other statements have left than before."""
        record, runs = self.record, self.runs
        if not self.compares or record is None or runs is None:
            return
        for group in groups:
            kept = record.groups.get(group.name)
            if kept is None:
                continue
            makers = runs.makers(
                (group.pending, group.conventional, group.classes, group.functions)
            )
            body = None if group.body is None else file_of(group.body.facts)
            if (
                makers is None
                or not makers.issubset(kept.needs or ())
                or body in self.changes.rewritten
            ):
                del record.groups[group.name]

    def has_changed(self, machine: Machine, name: str) -> bool:
        """Whether anything has changed that a group has read or asked."""
        assert self.record is not None
        group = self.record.groups[name]
        return self.reads_change(name) or any(
            known.knows(asked, self.atlas.name_of) != answer
            for known, own in zip(machine.known.all(), group.known, strict=True)
            for asked, answer in own.asked.items()
        )

    def reads_change(self, name: str) -> bool:
        """Whether a group has read what has changed."""
        assert self.record is not None
        group = self.record.groups[name]
        return not (
            group.places.isdisjoint(self.changes.places)
            and group.placed.isdisjoint(self.changes.files)
        )

    def look_at_changes(self, project: Project) -> None:
        """Finds out what has changed in files."""
        record = self.record
        if record is None:
            return
        wordings = [kept_wording(pattern, flags) for pattern, flags in record.wordings]
        files: dict[str, Rewritten | None] = {}
        places: set[Place] = set()
        for file, kept in record.files.items():
            after = project.module_at(Path(file))
            if after is None:
                raise Unforeseen
            if after.facts.source.text == kept.text:
                continue
            source = Source.from_text(kept.text, after.facts.source.path)
            before = project.module_of(ModuleFacts(source, after.facts.cache))
            found = None
            if not is_joined(str(after.facts.source.path)):
                found = changed_places(before, after, kept.unread, wordings)
            files[file] = (
                None if found is not None else _rewritten(project, before, after, wordings)
            )
            places.update(found or ())
        more = {file: each for file, each in files.items() if each is not None}
        self.changes = Changes(frozenset(files), frozenset(places), more)
        if record.bodies is not None:
            self.changes = self.changes.of_run(record.bodies.units)
        if more or not record.groups[BODIES].places.isdisjoint(places):
            self._prepare_to_compare(project, record)

    def _prepare_to_compare(self, project: Project, record: PartRecord) -> None:
        if record.bodies is None or not self.notes_bodies:
            raise Unforeseen
        modules = [project.module_at(Path(file)) for file in record.files]
        others = [
            module
            for file, module in zip(record.files, modules, strict=True)
            if file in self.changes.rewritten
            and not self.changes.rewritten[file].binds_alike
            and self.changes.rewritten[file].in_place is None
        ]
        there = [module for module in others if module is not None]
        if there and any(each and project.imports_all_of(each, there) for each in modules):
            raise Unforeseen  # who imports all names finds some where there were none
        self.compares, self.by_need = True, False

    def check_end(self) -> None:
        """Raises where the groups are not those of before."""
        if self.compares or self.record is None:
            return
        if len(self.passed) != len(self.record.groups):
            raise Unforeseen

    def to_keep(
        self,
        modules: Collection[ModuleFacts],
        relevant: tuple[str, ...],
        findings: Mapping[str, tuple[Finding, ...]],
        work: Iterable[Group],
        answers: Answers,
        shown: dict[str, str],
    ) -> PartRecord:
        """What is to be kept of the analysis, with what each group has found."""
        old = self.record
        noted = self.taken | self.noted(modules, work)
        groups: dict[str, GroupRecord] = {}
        for name in dict.fromkeys((BODIES, *self.passed)):
            record = noted.get(name)
            if record is None:
                assert old is not None
                groups[name] = old.groups[name]
            else:
                groups[name] = replace(record, findings=findings[name])
        wordings = {} if old is None else dict.fromkeys(old.wordings)
        wordings |= self.wordings | dict.fromkeys(self.looked_for())
        files = {
            file_of(facts): FileRecord(facts.source.text, self._unread(facts)) for facts in modules
        }
        bodies = self.bodies
        if bodies is not None and self.runs is not None and BODIES in self.ran:
            readings = [run.reading for run in self.runs.runs]
            bodies = replace(
                bodies,
                places=tuple(map(self.atlas.places_in, readings)),
                unbound=tuple(map(bodies.unbound_of, readings)),
            )
        return PartRecord(files, answers, shown, relevant, tuple(wordings), groups, bodies)

    def noted(
        self, modules: Collection[ModuleFacts], work: Iterable[Group]
    ) -> dict[str, GroupRecord]:
        """What is noted of the groups that have run, without what they have found."""
        self.atlas.note(modules)
        by_name = {each.name: each for each in work}
        read = {name: self.atlas.places_in(running.reading) for name, running in self.ran.items()}
        return {
            name: GroupRecord(
                read[name],
                frozenset(map(file_of, running.reading.placed)),
                _files_read(running.reading).union(place[0] for place in read[name]),
                self._units_read(running.reading).union(place[:2] for place in read[name]),
                running.known,
                (),
                self._needs(running, by_name.get(name)),
                frozenset() if self.bodies is None else self.bodies.unbound_of(running.reading),
            )
            for name, running in self.ran.items()
        }

    def looked_for(self) -> Iterator[Wording]:
        """What the groups that have run looked for in whole files."""
        for running in self.ran.values():
            for pattern in running.reading.wordings:
                yield pattern.pattern, pattern.flags

    def _needs(self, running: _Running, group: Group | None) -> tuple[int, ...] | None:
        """The statements of modules that a group needs which has run."""
        if running.needs is None or self.runs is None:
            return None
        if group is None:
            return ()
        makers = self.runs.makers(
            (group.pending, group.conventional, group.classes, group.functions)
        )
        return None if makers is None else tuple(sorted(running.needs | makers))

    def _units_read(self, reading: Reading) -> frozenset[UnitName]:
        """The units of which a part of the text was read."""
        return frozenset(self.atlas.unit_name(unit) for unit, _, _ in reading.spans)

    def files_placed(self) -> frozenset[str]:
        """The files in which the bodies of modules asked on which line something stands."""
        return frozenset(map(file_of, self.ran[BODIES].reading.placed))

    def _unread(self, facts: ModuleFacts) -> frozenset[int]:
        """The units of a file whose statements nobody has asked for, in this analysis or before."""
        file = file_of(facts)
        unread = {number for number, unit in enumerate(facts.units) if not unit.is_parsed}
        is_known = self.record is not None and file not in self.changes.files_moved()
        if is_known and self.record is not None and file in self.record.files:
            unread &= self.record.files[file].unread
        return frozenset(unread)


def _rewritten(
    project: Project, before: Module, after: Module, wordings: Sequence[re.Pattern[str]]
) -> Rewritten:
    """What has changed in a file, which imports the files that it did."""
    found = rewritten(before, after, wordings)
    if found is None or project.imported_by(before.facts) != project.imported_by(after.facts):
        raise Unforeseen
    return found


def _files_read(reading: Reading) -> frozenset[str]:
    """The files of which anything was read but functions."""
    modules = reading.files | reading.placed | {unit.module for unit, _, _ in reading.spans}
    for owner, _ in reading.names:
        if isinstance(owner, Scope):
            modules.add(owner.module.facts)
    return frozenset(map(file_of, modules))
