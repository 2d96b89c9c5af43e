"""What was found in parts, kept under all that their analysis depends on.

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
from oakum_lint.app.parts import Part
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.text.reads import Answers, digest

LARGEST: Final = 64 * 1024 * 1024
"""Bytes that the parts of one project take at most; those that were not used for longest go first.
The one of flax and optax takes 130 kB."""

NOT_ALL: Final = frozenset({"OAK002", "OAK003", "OAK004"})
"""Codes that say that something was not analysed."""


class Entry(TypedDict):
    """What is kept of a part, as JSON."""

    answers: Answers
    shown: dict[str, str]
    findings: list[StoredFinding]


class PartEntries:
    """The entries of the parts of a project."""

    __slots__ = ("_disk", "_texts", "folder")

    def __init__(self, folder: CacheFolder) -> None:
        self.folder = folder
        self._texts: Texts | None = None
        self._disk: Disk | None = None

    def find(
        self, part: Part, setup: Setup, texts: Texts
    ) -> tuple[dict[str, Findings], Answers] | None:
        """What was found in a part, by file, and what the disk had answered; None where that is not
        known, or where the disk answers otherwise.
        """
        body = self.folder.read("parts", self._name(part, setup, texts), LARGEST)
        if body is None:
            return None
        try:
            entry = cast(Entry, json.loads(body))
            if not shows_so(entry["shown"], setup):
                return None
            if not self.disk_of(texts).answers_so(entry["answers"]):
                return None
            found: dict[str, Findings] = {}
            for each in entry["findings"]:
                finding = restored(each)
                here = found.setdefault(finding.location.file, {})
                here[finding.location, finding.code] = finding
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None  # of another form, though its checksum is right
        return found, entry["answers"]

    def entry_of(
        self, part: Part, setup: Setup, session: Session, answers: Answers
    ) -> tuple[str, Entry] | None:
        """What to keep of a part that a session has analysed, and its name; None where not all was
        analysed.
        """
        findings = [each for found in session.found().values() for each in found.values()]
        if any(finding.code in NOT_ALL for finding in findings):
            return None
        return self._name(part, setup, session.texts), {
            "answers": answers,
            "shown": {path: str(setup.shown(Path(path))) for path in answers["files"]},
            "findings": [stored(finding) for finding in findings],
        }

    def disk_of(self, texts: Texts) -> Disk:
        """The disk as the run with these texts sees it."""
        if self._disk is None or self._texts is not texts:
            self._texts, self._disk = texts, Disk(texts.digest_at)
        return self._disk

    def name_of(self, setup: Setup, files: object) -> str:
        """The name of the entry for files, with all else that an analysis depends on."""
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

    def _name(self, part: Part, setup: Setup, texts: Texts) -> str:
        paths = (*part.files, *part.dependents)
        files = [[str(path), str(texts.real_path(path)), texts.digest(path)] for path in paths]
        return self.name_of(setup, (len(part.files), files))


def shows_so(shown: dict[str, str], setup: Setup) -> bool:
    """Whether reports show files under the names of before."""
    return all(str(setup.shown(Path(path))) == known for path, known in shown.items())


def encoded(entry: object) -> bytes:
    """The bytes of an entry."""
    return json.dumps(entry, separators=(",", ":")).encode()
