"""The ledger of the analysis of one part: what each group of its work reads, asks and finds, and
which groups need not run because nothing of that has changed.

Invariants:
- The groups that run see what they would see if all ran: the bodies of modules are run in any case,
  and what the groups before a group know comes from their records where they do not run.
- A group runs where it has read what has changed, where it has asked on which line something of a
  changed file stands, or where another group has come to know otherwise what it has asked.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from oakum.values.records import dataclass, field
from oakum_lint.app.index.changed_files import changed_places
from oakum_lint.app.index.part_records import FileRecord, GroupRecord, Knowledge, PartRecord
from oakum_lint.app.index.places import Atlas, Place, file_of
from oakum_lint.domain.groups.known import Known
from oakum_lint.domain.groups.work import BODIES
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Project
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.syntax.reading import READINGS, Reading
from oakum_lint.text.finding import Finding
from oakum_lint.text.notebook.names import is_joined
from oakum_lint.text.reads import Answers, kept_wording
from oakum_lint.text.source import Source


@dataclass(slots=True)
class _Running:
    """A group that has run."""

    reading: Reading
    known: tuple[Knowledge, ...] = ()


class Unforeseen(Exception):
    """The analysis is not the one of before with other bodies of functions: all of it is made."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What has changed since a part was kept."""

    files: frozenset[str]
    places: frozenset[Place]


@dataclass(slots=True)
class Ledger:
    """What is noted of one analysis of a part; with `record`, that of an earlier one."""

    record: PartRecord | None = None
    changes: Changes = field(default_factory=lambda: Changes(frozenset(), frozenset()))
    atlas: Atlas = field(default_factory=Atlas)
    ran: dict[str, _Running] = field(default_factory=dict[str, _Running])
    passed: list[str] = field(default_factory=list[str])
    """The groups that were met, in their order."""

    def begins(self, machine: Machine, name: str) -> bool:
        """Notes that a group begins, if it has to run."""
        self.passed.append(name)
        if not self._must_run(machine, name):
            return False
        reading = Reading()
        self.ran[name] = _Running(reading)
        READINGS.now = reading
        return True

    def ended(self, machine: Machine, name: str) -> None:
        """Notes what a group has asked and come to know."""
        READINGS.now = None
        self.ran[name].known = tuple(map(self._knowledge, machine.known.all()))

    def _knowledge(self, known: Known) -> Knowledge:
        name_of = self.atlas.name_of
        return Knowledge(
            {name_of(function): answer for function, answer in known.asked.values()},
            frozenset(name_of(function) for function in known.added.values()),
        )

    def _must_run(self, machine: Machine, name: str) -> bool:
        if self.record is None or name == BODIES:
            return True
        group = self.record.groups.get(name)
        if group is None:
            raise Unforeseen
        if self.has_changed(machine, name):
            return True
        for known, own in zip(machine.known.all(), group.known, strict=True):
            known.take(own.added, self.atlas.name_of)
        return False

    def has_changed(self, machine: Machine, name: str) -> bool:
        """Whether anything has changed that a group has read or asked."""
        assert self.record is not None
        group = self.record.groups[name]
        return (
            not group.places.isdisjoint(self.changes.places)
            or not group.placed.isdisjoint(self.changes.files)
            or any(
                known.knows(asked, self.atlas.name_of) != answer
                for known, own in zip(machine.known.all(), group.known, strict=True)
                for asked, answer in own.asked.items()
            )
        )

    def look_at_changes(self, project: Project) -> None:
        """Finds out what has changed in files."""
        record = self.record
        if record is None:
            return
        wordings = [kept_wording(pattern, flags) for pattern, flags in record.wordings]
        files: set[str] = set()
        places: set[Place] = set()
        for file, kept in record.files.items():
            after = project.module_at(Path(file))
            if after is None:
                raise Unforeseen
            if after.facts.source.text == kept.text:
                continue
            if is_joined(str(after.facts.source.path)):
                raise Unforeseen
            source = Source.from_text(kept.text, after.facts.source.path)
            before = project.module_of(ModuleFacts(source, after.facts.cache))
            found = changed_places(before, after, kept.unread, wordings)
            if found is None or not record.bodies.isdisjoint(found):
                raise Unforeseen
            files.add(file)
            places |= found
        self.changes = Changes(frozenset(files), frozenset(places))

    def check_end(self) -> None:
        """Raises where the groups are not those of before."""
        if self.record is not None and len(self.passed) != len(self.record.groups) + 1:
            raise Unforeseen

    def to_keep(
        self,
        modules: Collection[ModuleFacts],
        relevant: tuple[str, ...],
        findings: Mapping[str, tuple[Finding, ...]],
        answers: Answers,
        shown: dict[str, str],
    ) -> PartRecord:
        """What is to be kept of the analysis, with what each group has found."""
        old = self.record
        self.atlas.note(modules)
        groups: dict[str, GroupRecord] = {}
        wordings = {} if old is None else dict.fromkeys(old.wordings)
        for running in self.ran.values():
            for pattern in running.reading.wordings:
                wordings[pattern.pattern, pattern.flags] = None
        for name in self.passed:
            if name == BODIES:
                continue
            running = self.ran.get(name)
            if running is None:
                assert old is not None
                groups[name] = old.groups[name]
            else:
                groups[name] = GroupRecord(
                    self.atlas.places_in(running.reading),
                    frozenset(map(file_of, running.reading.placed)),
                    running.known,
                    findings[name],
                )
        files = {
            file_of(facts): FileRecord(facts.source.text, self._unread(facts)) for facts in modules
        }
        first = self.ran.get(BODIES)
        if first is None:
            assert old is not None
            bodies = old.bodies
        else:
            bodies = self.atlas.places_in(first.reading)
        return PartRecord(files, answers, shown, relevant, tuple(wordings), bodies, groups)

    def files_placed(self) -> frozenset[str]:
        """The files in which the bodies of modules asked on which line something stands."""
        return frozenset(map(file_of, self.ran[BODIES].reading.placed))

    def _unread(self, facts: ModuleFacts) -> frozenset[int]:
        """The units of a file whose statements nobody has asked for, in this analysis or before."""
        file = file_of(facts)
        unread = {number for number, unit in enumerate(facts.units) if not unit.is_parsed}
        if self.record is not None and file in self.record.files:
            unread &= self.record.files[file].unread
        return frozenset(unread)
