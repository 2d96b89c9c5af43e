"""What is kept of a part for the time when some of its files change: the texts, and for each group
of work what it has read, asked and found.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TypedDict, cast

from oakum.values.records import dataclass
from oakum_lint.app.index.stored_findings import StoredFinding, restored, stored
from oakum_lint.domain.groups.body_records import BodyRecord
from oakum_lint.syntax.reading import Place
from oakum_lint.text.edits import FunctionName
from oakum_lint.text.finding import Finding
from oakum_lint.text.reads import Answers

UnitName = tuple[str, int]
"""A file, and the number of a unit in it."""
Wording = tuple[str, int]
"""A regular expression with its flags."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a group has asked of one kind of knowledge, with the answers, and what it has added."""

    asked: dict[FunctionName, bool]
    added: frozenset[FunctionName]

    def is_about(self, files: Collection[str], units: Collection[UnitName]) -> bool:
        """Whether it is about a function in some files, or in some units of others."""
        return any(name[0] in files or name[:2] in units for name in chain(self.asked, self.added))


@dataclass(frozen=True, slots=True)
class GroupRecord:
    """One group of work."""

    places: frozenset[Place]
    """What it has read of functions, and of units whose statements nobody asked for."""
    placed: frozenset[str]
    """The files in which it asked on which line something stands."""
    files: frozenset[str]
    """The files of which it has read anything: a name, a function, a text, a line."""
    units: frozenset[UnitName]
    """The units of which it has read a text or a function."""
    known: tuple[Knowledge, ...]
    findings: tuple[Finding, ...]
    needs: tuple[int, ...] | None
    """The statements of modules that have bound what it has read, or have left its work; None where
    these are not known.
    """
    unbound: frozenset[str]
    """The names of modules that it has asked for and that none of these statements has bound."""

    def needs_in(self, numbers: Mapping[int, int]) -> tuple[int, ...] | None:
        """What it needs, by the numbers of a later run; None where one of these has none there."""
        if self.needs is None or not all(number in numbers for number in self.needs):
            return None
        return tuple(sorted(numbers[number] for number in self.needs))

    def is_about(self, files: Collection[str], units: Collection[UnitName]) -> bool:
        """Whether it has read anything of some files or units, or asked for a function there."""
        return not (self.files.isdisjoint(files) and self.units.isdisjoint(units)) or any(
            each.is_about(files, units) for each in self.known
        )


@dataclass(frozen=True, slots=True)
class FileRecord:
    """The text of a file, and the numbers of the units whose statements nobody asked for."""

    text: str
    unread: frozenset[int]


@dataclass(frozen=True, slots=True)
class PartRecord:
    """One part."""

    files: dict[str, FileRecord]
    answers: Answers
    shown: dict[str, str]
    relevant: tuple[str, ...]
    """The files in which a trace can begin."""
    wordings: tuple[Wording, ...]
    """What was looked for in whole files: regular expressions, with their flags."""
    groups: dict[str, GroupRecord]
    """The groups in their order: the bodies of modules first."""
    bodies: BodyRecord | None
    """What the statements of modules need of each other, if it is known."""


class _StoredGroup(TypedDict):
    places: list[int]
    placed: list[str]
    files: list[int]
    units: list[tuple[int, int]]
    known: list[tuple[list[tuple[int, bool]], list[int]]]
    findings: list[StoredFinding]
    needs: list[int] | None
    unbound: list[int]


class _StoredBodies(TypedDict):
    units: list[tuple[str, int]]
    needs: list[list[int]]
    always: dict[str, str | None]
    writers: dict[str, dict[str, list[int]]]
    derivers: dict[str, list[int]]
    done: list[str]
    places: list[list[int]]
    unbound: list[list[int]]


class _StoredPart(TypedDict):
    files: dict[str, tuple[str, list[int]]]
    answers: Answers
    shown: dict[str, str]
    relevant: list[str]
    wordings: list[tuple[str, int]]
    bodies: _StoredBodies | None
    places: list[Place]
    paths: list[str]
    names: list[FunctionName]
    words: list[str]
    groups: dict[str, _StoredGroup]


def stored_part(part: PartRecord) -> _StoredPart:
    """The form in which a part is kept: each place and each name is written once."""
    places: dict[Place, int] = {}
    paths: dict[str, int] = {}
    names: dict[FunctionName, int] = {}
    words: dict[str, int] = {}
    return {
        "files": {file: (each.text, sorted(each.unread)) for file, each in part.files.items()},
        "answers": part.answers,
        "shown": part.shown,
        "relevant": list(part.relevant),
        "wordings": list(part.wordings),
        "bodies": None if part.bodies is None else _stored_bodies(part.bodies, places, words),
        "groups": {
            name: {
                "places": [places.setdefault(place, len(places)) for place in group.places],
                "placed": sorted(group.placed),
                "files": [paths.setdefault(file, len(paths)) for file in group.files],
                "units": [
                    (paths.setdefault(file, len(paths)), number) for file, number in group.units
                ],
                "known": [
                    (
                        [
                            (names.setdefault(name, len(names)), answer)
                            for name, answer in each.asked.items()
                        ],
                        [names.setdefault(name, len(names)) for name in each.added],
                    )
                    for each in group.known
                ],
                "findings": [stored(finding) for finding in group.findings],
                "needs": None if group.needs is None else list(group.needs),
                "unbound": [words.setdefault(word, len(words)) for word in group.unbound],
            }
            for name, group in part.groups.items()
        },
        "places": list(places),
        "paths": list(paths),
        "names": list(names),
        "words": list(words),
    }


def restored_part(data: object) -> PartRecord:
    """A part that was kept; raises what a form that is another one has Python raise."""
    part = cast(_StoredPart, data)
    places = [
        (str(file), int(unit), int(outer), int(inner))
        for file, unit, outer, inner in part["places"]
    ]
    paths = [*map(str, part["paths"])]
    names = [
        (str(file), int(unit), int(outer), int(inner), int(at))
        for file, unit, outer, inner, at in part["names"]
    ]
    words = [*map(str, part["words"])]
    return PartRecord(
        {
            file: FileRecord(str(text), frozenset(map(int, unread)))
            for file, (text, unread) in part["files"].items()
        },
        part["answers"],
        part["shown"],
        tuple(part["relevant"]),
        tuple((pattern, flags) for pattern, flags in part["wordings"]),
        {
            name: GroupRecord(
                frozenset(places[number] for number in group["places"]),
                frozenset(group["placed"]),
                frozenset(paths[number] for number in group["files"]),
                frozenset((paths[file], int(number)) for file, number in group["units"]),
                tuple(
                    Knowledge(
                        {names[number]: bool(answer) for number, answer in asked},
                        frozenset(names[number] for number in added),
                    )
                    for asked, added in group["known"]
                ),
                tuple(restored(finding) for finding in group["findings"]),
                None if group["needs"] is None else tuple(map(int, group["needs"])),
                frozenset(words[number] for number in group["unbound"]),
            )
            for name, group in part["groups"].items()
        },
        None if part["bodies"] is None else _restored_bodies(part["bodies"], places, words),
    )


def _stored_bodies(
    bodies: BodyRecord, places: dict[Place, int], words: dict[str, int]
) -> _StoredBodies:
    return {
        "units": list(bodies.units),
        "needs": [list(each) for each in bodies.needs],
        "always": {str(number): effect for number, effect in bodies.always.items()},
        "writers": {
            file: {name: list(found) for name, found in names.items()}
            for file, names in bodies.writers.items()
        },
        "derivers": {str(number): list(found) for number, found in bodies.derivers.items()},
        "done": list(bodies.done),
        "places": [
            [places.setdefault(place, len(places)) for place in read] for read in bodies.places
        ],
        "unbound": [
            [words.setdefault(word, len(words)) for word in asked] for asked in bodies.unbound
        ],
    }


def _restored_bodies(
    stored: _StoredBodies, places: Sequence[Place], words: Sequence[str]
) -> BodyRecord:
    return BodyRecord(
        tuple((str(file), int(number)) for file, number in stored["units"]),
        tuple(map(tuple, stored["needs"])),
        {int(number): effect for number, effect in stored["always"].items()},
        {
            file: {name: tuple(found) for name, found in names.items()}
            for file, names in stored["writers"].items()
        },
        {int(number): tuple(found) for number, found in stored["derivers"].items()},
        tuple(stored["done"]),
        tuple(frozenset(places[number] for number in read) for read in stored["places"]),
        tuple(frozenset(words[number] for number in asked) for asked in stored["unbound"]),
    )
