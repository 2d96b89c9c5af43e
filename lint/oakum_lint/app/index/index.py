"""The index of a project: what runs have found in each part, and the lowered units of its files.

A run looks up its parts. Those that have not changed, and for which the disk answers as it did, are
not analysed again. Of one in which some files have changed, the groups of work are that have read
what has (see `ledger`). The rest is analysed whole, from units that are lowered already.

Invariant: a part of which not all was analysed is not kept (see `part_entries`).
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oakum_lint.app.index.file_states import FileStates
from oakum_lint.app.index.folder import CacheFolder
from oakum_lint.app.index.part_entries import LARGEST, PartEntries, encoded, shows_so
from oakum_lint.app.index.unit_packs import UnitPacks
from oakum_lint.app.parts import Part
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.syntax.cache import UnitSource
from oakum_lint.text.reads import Answers, Reads

if TYPE_CHECKING:
    from oakum_lint.app.index.ledger import Ledger
    from oakum_lint.app.index.part_records import PartRecord

_LARGEST_RECORD: Final = 256 * 1024 * 1024
"""Bytes that the records of parts take at most."""


class Index:
    """What is known of a project from earlier runs; for one run. Fixes that are found by one which
    `tries_fixes` are tried next, in analyses that go on from it.
    """

    __slots__ = (
        *("_has_new", "_packs", "_parts", "_tries_fixes", "_written", "folder", "reads", "states"),
    )

    def __init__(
        self, folder: CacheFolder, states: FileStates, *, tries_fixes: bool = False
    ) -> None:
        self.folder = folder
        self.states = states
        self._parts = PartEntries(folder)
        self._packs = UnitPacks(folder, writes=folder.holds("parts"))
        self._tries_fixes = tries_fixes
        self._has_new = False
        self._written: list[tuple[str, str, bytes]] = []
        """The entries that are written when the run ends."""
        self.reads = Reads()
        """What the parts of the run have asked the disk, now or when they were analysed."""

    def find(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        """What was found in a part, by file; None where that is not known."""
        known = self._parts.find(part, setup, texts)
        if known is None:
            return None
        found, answers = known
        self.reads.add(answers)
        return found

    def observe(self, part: Part, texts: Texts) -> None:
        """Nobody asks for expressions."""

    def open_ledger(self, part: Part, setup: Setup, texts: Texts, reads: Reads) -> "Ledger | None":
        """A ledger for the analysis of a part, with what is known of an earlier one; None where a
        part depends on more than the bodies of functions.
        """
        if part.dependents:
            return None
        from oakum_lint.app.index.ledger import Ledger

        name = self._record_name(part, setup, texts)
        bodies = self.folder.versions("groups", name, _LARGEST_RECORD)
        found = [self._record_of(body, part, setup, texts) for body in bodies]
        records = [record for record in found if record is not None]
        if not records:
            return Ledger()
        # Fixes that are tried next are mostly those that were tried last, but for some. What is
        # tried by itself then is nearer to what is there.
        record = min(records, key=lambda each: _count_edited(each, texts))
        reads.add(_asked_beside(record, part, texts))
        return Ledger(record)

    def _record_of(
        self, body: bytes, part: Part, setup: Setup, texts: Texts
    ) -> "PartRecord | None":
        """What is kept of a part, if the disk still answers so."""
        from oakum_lint.app.index.part_records import restored_part

        try:
            record = restored_part(json.loads(body))
            answers = _asked_beside(record, part, texts)
            holds = shows_so(record.shown, setup) and self._parts.disk_of(texts).answers_so(answers)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
            return None  # of another form, though its checksum is right
        return record if holds else None

    def keep(self, part: Part, setup: Setup, session: Session, reads: Reads) -> None:
        """Keeps what a session has found and lowered."""
        found = session.found().values()
        if self._tries_fixes and any(each.fix for here in found for each in here.values()):
            self._packs.writes = True
        for path, facts in session.modules.items():
            self._packs.keep(path, facts)
        self._has_new = True
        self.reads.add(reads.answers())
        kept = self._parts.entry_of(part, setup, session, reads.answers())
        if kept is None:
            return
        name, entry = kept
        self._written.append(("parts", name, encoded(entry)))
        ledger = session.ledger
        if ledger is not None and not part.dependents and session.can_be_taken_up():
            from oakum_lint.app.index.part_records import stored_part

            record = ledger.to_keep(
                session.modules.values(),
                tuple(map(str, session.relevant)),
                {name: group.all() for name, group in session.groups.items()},
                () if session.interpretation is None else session.interpretation.groups,
                entry["answers"],
                entry["shown"],
            )
            name = self._record_name(part, setup, session.texts)
            self._written.append(("groups", name, encoded(stored_part(record))))

    def units_of(self, path: Path) -> UnitSource:
        """The units of a file that were lowered before, by its real path."""
        return self._packs.open(path)

    def finish(self) -> None:
        """Ends the run: entries are written, and what was not used for longest goes, if there is
        too much.

        An analysis runs in a thread of its own, which the end of the process could cut while it
        writes; this is called in the thread that signals interrupt.
        """
        for kind, name, body in self._written:
            self.folder.write(kind, name, body)
        self.states.finish()
        if self._has_new:
            self.folder.shrink("parts", LARGEST)
            self.folder.shrink("groups", _LARGEST_RECORD)
            self._packs.finish()

    def _record_name(self, part: Part, setup: Setup, texts: Texts) -> str:
        """The name of the record of a part, which says nothing of the texts."""
        files = [[str(path), str(texts.real_path(path))] for path in part.files]
        return self._parts.name_of(setup, files)


def _asked_beside(record: "PartRecord", part: Part, texts: Texts) -> Answers:
    """What the analysis of a part has asked of the disk beside the texts of its files."""
    own = {str(texts.real_path(path)) for path in part.files}
    asked = record.answers["files"].items()
    return {**record.answers, "files": {path: known for path, known in asked if path not in own}}


def _count_edited(record: "PartRecord", texts: Texts) -> int:
    """How many files have another text than they had."""
    return sum(texts.text(Path(file)) != kept.text for file, kept in record.files.items())
