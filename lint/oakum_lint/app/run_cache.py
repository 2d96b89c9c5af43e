"""The cache of whole runs: what a run has found, the next one finds if nothing has changed.

An entry is named by all that a run depends on and that is known before it begins: the code of
oakum, the Python, the settings, the files and their texts. It lists what else the run has asked the
disk, and is taken only if all of that has the same answer.

Invariant: a run that was cut short, or failed somewhere, is not kept.
"""

import json
import os
import time
from collections.abc import Sequence
from functools import partial
from typing import Final, TypedDict, cast

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.index.answers import Disk
from oakum_lint.app.index.file_states import FileStates, RealPaths
from oakum_lint.app.index.folder import CacheFolder
from oakum_lint.app.index.stored_findings import StoredFinding, restored, stored
from oakum_lint.app.project_context import ProjectContext
from oakum_lint.app.settings import Settings
from oakum_lint.text.reads import Answers, Reads, digest

_LARGEST: Final = 32 * 1024 * 1024
"""Bytes that the entries of one project take at most; the oldest go first. A run over the 240 files
of flax and optax takes 130 kB."""


class Entry(TypedDict):
    """What an entry holds, as JSON."""

    answers: Answers
    checked: int
    elsewhere: int
    hidden: int
    findings: list[StoredFinding]


class RunCache:
    """The entry of one run."""

    def __init__(self, folder: CacheFolder, disk: Disk, key: str) -> None:
        self._folder = folder
        self._disk = disk
        self._name = f"{key}.json"

    def load(self) -> CheckResult | None:
        """The result of an equal run; None where none is kept."""
        body = self._folder.read("runs", self._name, _LARGEST)
        if body is None:
            return None
        try:
            entry = cast(Entry, json.loads(body))
            return _result(entry) if self._disk.answers_so(entry["answers"]) else None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None  # of another form, though its checksum is right

    def store(self, result: CheckResult, reads: Reads) -> None:
        """Keeps the result of a run that has analysed everything."""
        if result.failures or result.incomplete:
            return
        entry: Entry = {
            "answers": reads.answers(),
            "checked": result.checked,
            "elsewhere": result.elsewhere,
            "hidden": result.hidden,
            "findings": [stored(finding) for finding in result.findings],
        }
        self._folder.write("runs", self._name, json.dumps(entry, separators=(",", ":")).encode())
        self._folder.shrink("runs", _LARGEST)


def open_cache(
    folder: CacheFolder,
    states: FileStates,
    context: ProjectContext,
    files: Sequence[str],
    settings: Settings,
    *,
    is_revised: bool,
) -> RunCache | None:
    """The cache of a run; None if a file cannot be read. A run whose result was changed afterwards
    has one of its own.
    """
    look = partial(states.digest, since=time.time_ns())
    paths = RealPaths()
    contents: list[str] = ["revised"] if is_revised else []
    for file in (*files, *context.dependents):
        real, _ = paths.look(file)
        found = look(real)
        if not found:
            return None
        contents.append(f"{file}\0{real}\0{found}")
    key = _key(folder, context, files, settings, contents)
    return RunCache(folder, Disk(look), key)


def _key(
    folder: CacheFolder,
    context: ProjectContext,
    files: Sequence[str],
    settings: Settings,
    contents: Sequence[str],
) -> str:
    """What stands for all that a run depends on and that is known before."""
    own = (
        folder.own,
        os.getcwd(),
        repr([getattr(settings, name) for name in _SETTINGS]),
        repr((len(files), context.import_roots, context.roots)),
    )
    return digest("\n".join((*own, *contents)).encode(errors="surrogatepass"))


_SETTINGS: Final = (
    "root", "select", "ignore", "per_file_ignores", "min_confidence", "min_severity",
    "assume_traced", "entry_points", "trace_counters", "call_counters", "draw_flags", "still_flags",
    "max_seconds_per_root", "exclusion",
)  # fmt: skip
"""The settings on which findings depend."""


def _result(entry: Entry) -> CheckResult:
    result = CheckResult()
    result.checked, result.elsewhere = entry["checked"], entry["elsewhere"]
    result.hidden = entry["hidden"]
    result.findings = [restored(finding) for finding in entry["findings"]]
    result.statistics.update(finding.code for finding in result.findings)
    if result.findings:
        from pathlib import Path

        from oakum_lint.app.texts import Texts

        texts = Texts({})
        for file in {finding.location.file for finding in result.findings}:
            result.texts[file] = texts.text(Path(file)) or ""
    return result
