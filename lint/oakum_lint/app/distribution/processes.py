"""The analysis of parts in several processes, each of which takes the next part when it is done.

Parts are independent of each other, so what is found does not depend on how many processes there
are, nor on which of them takes which part.

Invariants:
- A part that a process fails on, or that it ends with, is left to the caller.
- The processes end with the call, however it ends; signals are the caller's to answer.
"""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from oakum.values.records import dataclass
from oakum_lint.app.distribution.workers import Workers, ready
from oakum_lint.app.index.file_states import FileStates
from oakum_lint.app.index.stored_findings import StoredFinding, restored, stored
from oakum_lint.app.part_analysis import analyse_part
from oakum_lint.app.parts import Part
from oakum_lint.app.progress import TICK, Progress
from oakum_lint.app.session import Findings, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.syntax.cache import UnitSource
from oakum_lint.text.reads import Answers

if TYPE_CHECKING:
    from oakum_lint.app.distribution.shards import Keeper
    from oakum_lint.app.index.folder import CacheFolder
    from oakum_lint.app.index.index import Index


@dataclass(frozen=True, slots=True)
class Shared:
    """What all processes are passed when they start."""

    setup: Setup
    overlay: dict[Path, str]
    folder: "CacheFolder | None"
    """Where what is found is kept; None where it is not."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a process has found in a part, and what it has asked the disk."""

    findings: list[StoredFinding]
    answers: Answers | None


def analyse_apart(
    parts: Sequence[Part],
    outcomes: list[dict[str, Findings] | None],
    shared: Shared,
    texts: Texts,
    index: "Keeper | None",
    jobs: int,
    progress: Progress | None,
) -> None:
    """Analyses parts of which nothing is known in up to `jobs` processes, the largest first, and
    notes what is found. Those are left that are too large for one process.
    """
    missing = _smaller(parts, outcomes, texts, jobs)
    if not missing:
        return
    with Workers(_serve, shared, min(jobs, len(missing))) as workers:
        for place, outcome in _work(workers, parts, missing, progress):
            found: dict[str, Findings] = {}
            for finding in map(restored, outcome.findings):
                found.setdefault(finding.location.file, {})[finding.location, finding.code] = (
                    finding
                )
            outcomes[place] = found
            if index is not None and outcome.answers is not None:
                index.reads.add(outcome.answers)


def _smaller(
    parts: Sequence[Part],
    outcomes: Sequence[dict[str, Findings] | None],
    texts: Texts,
    jobs: int,
) -> list[int]:
    """The places of the parts of which nothing is known and that one process each analyses, the
    smallest first: all processes share a part that is larger than what one has to do.
    """
    missing = [place for place, outcome in enumerate(outcomes) if outcome is None]
    missing.sort(key=lambda place: _size(parts[place], texts))
    if sys.platform == "linux":  # elsewhere a part cannot be shared
        rest = sum(_size(parts[place], texts) for place in missing)
        while missing and (largest := _size(parts[missing[-1]], texts)) * jobs > rest:
            rest -= largest
            missing.pop()
    return missing


def _size(part: Part, texts: Texts) -> int:
    return sum(len(texts.text(path) or "") for path in (*part.files, *part.dependents))


def _work(
    workers: Workers, parts: Sequence[Part], places: list[int], progress: Progress | None
) -> Iterator[tuple[int, Outcome]]:
    """Hands the parts at these places out from the last on; yields what comes back."""
    running: dict[Connection, int] = {}
    idle = workers.connections
    while True:
        while idle and places:
            connection = idle.pop()
            running[connection] = places.pop()
            connection.send(parts[running[connection]])
        if not running:
            return
        done = ready([*running], None if progress is None else TICK)
        if progress is not None:
            progress.show()
        for connection in done:
            place = running.pop(connection)
            try:
                outcome = connection.recv()
            except (EOFError, OSError):  # it has ended: what it had is left
                continue
            idle.append(connection)
            if progress is not None:
                progress.note(*parts[place].files)
            if isinstance(outcome, Outcome):
                yield place, outcome


def _serve(connection: Connection, shared: Shared) -> None:
    """Analyses the parts that come through a pipe until it is closed."""
    from oakum_lint.app.distribution.deep_thread import run_deep

    texts = Texts(shared.overlay)
    while True:
        try:
            part: Part = connection.recv()
        except (EOFError, OSError):
            return
        index = None
        if shared.folder is not None:
            from oakum_lint.app.index.index import Index

            index = Index(shared.folder, FileStates())
        done: list[Outcome] = []
        try:
            run_deep(partial(_run, part, texts, shared, index, done))
            if index is not None:
                index.finish()
        except Exception:  # the caller runs into it, too, and reports it
            done = []
        connection.send(done[0] if done else None)


def _run(
    part: Part, texts: Texts, shared: Shared, index: "Index | None", done: list[Outcome]
) -> None:
    def units_of(path: Path) -> UnitSource | None:
        return None if index is None else index.units_of(path)

    _, found = analyse_part(part, shared.setup, texts, units_of, index)
    findings = [stored(each) for here in found.values() for each in here.values()]
    done.append(Outcome(findings, None if index is None else index.reads.answers()))
