"""The index of a project: what runs have found in each part, and the lowered units of its files.

A run looks up its parts. Those that have not changed, and for which the disk answers as it did, are
not analysed again. Of one in which bodies of functions have changed, the groups of work are that
have read them (see `ledger`). The rest is analysed whole, from units that are lowered already.

Invariants:
- A part is named by all that its analysis depends on and that is known before it begins: the
  programs, the settings, its files and their texts. What it has asked the disk beside is listed.
- A part of which not all was analysed is not kept: how much is depends on the machine's speed.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, cast

from oakum_lint.app.index.answers import Disk
from oakum_lint.app.index.file_states import FileStates
from oakum_lint.app.index.folder import CacheFolder
from oakum_lint.app.index.stored_findings import StoredFinding, restored, stored
from oakum_lint.app.index.unit_packs import UnitPacks
from oakum_lint.app.parts import Part
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.syntax.cache import UnitSource
from oakum_lint.text.reads import Answers, Reads, digest

if TYPE_CHECKING:
    from oakum_lint.app.index.ledger import Ledger

_LARGEST: Final = 64 * 1024 * 1024
"""Bytes that the parts of one project take at most; those that were not used for longest go first.
The one of flax and optax takes 130 kB."""

_LARGEST_RECORD: Final = 256 * 1024 * 1024
"""Bytes that the records of parts take at most."""

NOT_ALL: Final = frozenset({"OAK002", "OAK003", "OAK004"})
"""Codes that say that something was not analysed."""


class Entry(TypedDict):
    """What is kept of a part, as JSON."""

    answers: Answers
    shown: dict[str, str]
    findings: list[StoredFinding]


class Index:
    """What is known of a project from earlier runs; for one run."""

    __slots__ = ("_disk", "_entries", "_has_new", "_packs", "_texts", "folder", "reads", "states")

    def __init__(self, folder: CacheFolder, states: FileStates) -> None:
        self.folder = folder
        self.states = states
        self._texts: Texts | None = None
        self._disk: Disk | None = None
        self._packs = UnitPacks(folder, writes=folder.holds("parts"))
        self._has_new = False
        self._entries: list[tuple[str, str, bytes]] = []
        self.reads = Reads()
        """What the parts of the run have asked the disk, now or when they were analysed."""

    def find(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        """What was found in a part, by file; None where that is not known."""
        body = self.folder.read("parts", self._name(part, setup, texts), _LARGEST)
        if body is None:
            return None
        try:
            entry = cast(Entry, json.loads(body))
            if not _shows_so(entry["shown"], setup):
                return None
            if not self._disk_of(texts).answers_so(entry["answers"]):
                return None
            found: dict[str, Findings] = {}
            for each in entry["findings"]:
                finding = restored(each)
                here = found.setdefault(finding.location.file, {})
                here[finding.location, finding.code] = finding
            self.reads.add(entry["answers"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None  # of another form, though its checksum is right
        return found

    def _disk_of(self, texts: Texts) -> Disk:
        if self._disk is None or self._texts is not texts:
            self._texts, self._disk = texts, Disk(texts.digest_at)
        return self._disk

    def observe(self, part: Part, texts: Texts) -> None:
        """Nobody asks for expressions."""

    def open_ledger(self, part: Part, setup: Setup, texts: Texts, reads: Reads) -> "Ledger | None":
        """A ledger for the analysis of a part, with what is known of an earlier one; None where a
        part depends on more than the bodies of functions.
        """
        if part.dependents:
            return None
        from oakum_lint.app.index.ledger import Ledger
        from oakum_lint.app.index.part_records import restored_part

        body = self.folder.read("groups", self._record_name(part, setup, texts), _LARGEST_RECORD)
        if body is None:
            return Ledger()
        try:
            record = restored_part(json.loads(body))
            own = {str(texts.real_path(path)) for path in part.files}
            asked = record.answers["files"].items()
            others = {path: known for path, known in asked if path not in own}
            answers: Answers = {**record.answers, "files": others}
            if not _shows_so(record.shown, setup) or not self._disk_of(texts).answers_so(answers):
                return Ledger()
            reads.add(answers)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
            return Ledger()  # of another form, though its checksum is right
        return Ledger(record)

    def keep(self, part: Part, setup: Setup, session: Session, reads: Reads) -> None:
        """Keeps what a session has found and lowered."""
        for path, facts in session.modules.items():
            self._packs.keep(path, facts)
        self._has_new = True
        self.reads.add(reads.answers())
        findings = [each for found in session.found().values() for each in found.values()]
        if any(finding.code in NOT_ALL for finding in findings):
            return
        entry: Entry = {
            "answers": reads.answers(),
            "shown": {path: str(setup.shown(Path(path))) for path in reads.files},
            "findings": [stored(finding) for finding in findings],
        }
        self._write_later("parts", self._name(part, setup, session.texts), entry)
        ledger = session.ledger
        if ledger is not None and session.can_be_taken_up():
            from oakum_lint.app.index.part_records import stored_part

            record = ledger.to_keep(
                session.modules.values(),
                tuple(map(str, session.relevant)),
                {name: group.all() for name, group in session.groups.items()},
                entry["answers"],
                entry["shown"],
            )
            name = self._record_name(part, setup, session.texts)
            self._write_later("groups", name, stored_part(record))

    def _write_later(self, kind: str, name: str, entry: object) -> None:
        body = json.dumps(entry, separators=(",", ":")).encode()
        self._entries.append((kind, name, body))

    def units_of(self, path: Path) -> UnitSource:
        """The units of a file that were lowered before, by its real path."""
        return self._packs.open(path)

    def finish(self) -> None:
        """Ends the run: entries are written, and what was not used for longest goes, if there is
        too much.

        An analysis runs in a thread of its own, which the end of the process could cut while it
        writes; this is called in the thread that signals interrupt.
        """
        for kind, name, body in self._entries:
            self.folder.write(kind, name, body)
        self.states.finish()
        if self._has_new:
            self.folder.shrink("parts", _LARGEST)
            self.folder.shrink("groups", _LARGEST_RECORD)
            self._packs.finish()

    def _name(self, part: Part, setup: Setup, texts: Texts) -> str:
        """What stands for all that the analysis of a part depends on and that is known before."""
        paths = (*part.files, *part.dependents)
        files = [[str(path), str(texts.real_path(path)), texts.digest(path)] for path in paths]
        return self._digest(setup, (len(part.files), files))

    def _record_name(self, part: Part, setup: Setup, texts: Texts) -> str:
        """What stands for all that but the texts."""
        return self._digest(setup, [[str(path), str(texts.real_path(path))] for path in part.files])

    def _digest(self, setup: Setup, files: object) -> str:
        known = (
            self.folder.own,
            os.getcwd(),
            setup.assumptions.key,
            setup.seconds,
            [str(root) for root in setup.import_roots],
            sorted(map(str, setup.hidden)),
            files,
        )
        return f"{digest(json.dumps(known).encode())}.json"


def _shows_so(shown: dict[str, str], setup: Setup) -> bool:
    """Whether reports show files under the names of before."""
    return all(str(setup.shown(Path(path))) == known for path, known in shown.items())
