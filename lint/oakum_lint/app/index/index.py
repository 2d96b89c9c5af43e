"""The index of a project: what runs have found in each part, and the lowered units of its files.

A run looks up its parts. Those that have not changed, and for which the disk answers as it did, are
not analysed again. The rest is, from units that are lowered already.

Invariants:
- A part is named by all that its analysis depends on and that is known before it begins: the
  programs, the settings, its files and their texts. What it has asked the disk beside is listed.
- A part of which not all was analysed is not kept: how much is depends on the machine's speed.
"""

import json
import os
from pathlib import Path
from typing import Final, TypedDict, cast

from oakum_lint.app.index.answers import Disk
from oakum_lint.app.index.folder import CacheFolder
from oakum_lint.app.index.stored_findings import StoredFinding, restored, stored
from oakum_lint.app.index.unit_packs import UnitPacks
from oakum_lint.app.parts import Part
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.syntax.cache import UnitSource
from oakum_lint.text.reads import Answers, Reads, digest

_LARGEST: Final = 64 * 1024 * 1024
"""Bytes that the parts of one project take at most; those that were not used for longest go first.
The one of flax and optax takes 130 kB."""

_NOT_ALL: Final = frozenset({"OAK002", "OAK003", "OAK004"})
"""Codes that say that something was not analysed."""


class Entry(TypedDict):
    """What is kept of a part, as JSON."""

    answers: Answers
    shown: dict[str, str]
    findings: list[StoredFinding]


class Index:
    """What is known of a project from earlier runs; for one run."""

    __slots__ = ("_disk", "_entries", "_has_new", "_packs", "_texts", "folder", "reads")

    def __init__(self, folder: CacheFolder) -> None:
        self.folder = folder
        self._texts: Texts | None = None
        self._disk: Disk | None = None
        self._packs = UnitPacks(folder)
        self._has_new = False
        self._entries: list[tuple[str, bytes]] = []
        self.reads = Reads()
        """What the parts of the run have asked the disk, now or when they were analysed."""

    def find(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        """What was found in a part, by file; None where that is not known."""
        body = self.folder.read("parts", self._name(part, setup, texts), _LARGEST)
        if body is None:
            return None
        if self._disk is None or self._texts is not texts:
            self._texts, self._disk = texts, Disk(texts)
        try:
            entry = cast(Entry, json.loads(body))
            shown = entry["shown"].items()
            if not all(str(setup.shown(Path(path))) == known for path, known in shown):
                return None
            if not self._disk.answers_so(entry["answers"]):
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

    def keep(self, part: Part, setup: Setup, session: Session, reads: Reads) -> None:
        """Keeps what a session has found and lowered."""
        for path, facts in session.modules.items():
            self._packs.keep(path, facts)
        self._has_new = True
        self.reads.add(reads.answers())
        findings = [each for found in session.findings.values() for each in found.values()]
        if any(finding.code in _NOT_ALL for finding in findings):
            return
        entry: Entry = {
            "answers": reads.answers(),
            "shown": {path: str(setup.shown(Path(path))) for path in reads.files},
            "findings": [stored(finding) for finding in findings],
        }
        body = json.dumps(entry, separators=(",", ":")).encode()
        self._entries.append((self._name(part, setup, session.texts), body))

    def units_of(self, path: Path) -> UnitSource:
        """The units of a file that were lowered before, by its real path."""
        return self._packs.open(path)

    def finish(self) -> None:
        """Ends the run: entries are written, and what was not used for longest goes, if there is
        too much.

        An analysis runs in a thread of its own, which the end of the process could cut while it
        writes; this is called in the thread that signals interrupt.
        """
        for name, body in self._entries:
            self.folder.write("parts", name, body)
        if self._has_new:
            self.folder.shrink("parts", _LARGEST)
            self._packs.finish()

    def _name(self, part: Part, setup: Setup, texts: Texts) -> str:
        """What stands for all that the analysis of a part depends on and that is known before."""
        files = [
            [str(path), str(texts.real_path(path)), texts.digest(path)]
            for path in (*part.files, *part.dependents)
        ]
        known = (
            self.folder.own,
            os.getcwd(),
            setup.assumptions.key,
            setup.seconds,
            [str(root) for root in setup.import_roots],
            sorted(map(str, setup.hidden)),
            len(part.files),
            files,
        )
        return f"{digest(json.dumps(known).encode())}.json"
