"""Analysis of files: reading, interpretation, rules. What the command and the server both call."""

import gc
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from oakum import dtypes
from oakum.values.records import dataclass
from oakum_lint.app.parts import Part, divide
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.domain.assumptions import NOTHING_ASSUMED, Assumptions
from oakum_lint.domain.limits import GC_THRESHOLD, SECONDS_PER_ROOT
from oakum_lint.syntax.cache import UnitCache, UnitSource
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.finding import Confidence, Finding
from oakum_lint.text.reads import Reads
from oakum_lint.text.source import Source, Unreadable

if TYPE_CHECKING:
    from oakum_lint.app.index.index import Index

RECURSION_LIMIT = 40_000
STACK_SIZE = 256 * 1024 * 1024
"""The interpreter recurses over expressions, whose depth the nesting gate bounds; this is room for
it."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """The findings in one file. `source` is None when it could not be read; `is_named` says
    whether the file was to be checked, and not only looked at for what traces the checked ones.
    """

    path: Path
    source: Source | None
    findings: tuple[Finding, ...]
    is_named: bool = True


def analyse(
    files: Sequence[Path],
    *,
    overlay: Mapping[Path, str] | None = None,
    cache: UnitCache | None = None,
    assumptions: Assumptions = NOTHING_ASSUMED,
    seconds: float = SECONDS_PER_ROOT,
    dependents: Sequence[Path] = (),
    import_roots: Sequence[Path] = (),
    hidden: Sequence[Path] = (),
    index: "Index | None" = None,
) -> Iterator[FileReport]:
    """Analyses files, those that imports connect together, and reports on each in order.

    `overlay` holds the text of files that an editor has changed. A file that cannot be read or
    parsed gets a finding that says so; the rest is analysed all the same. `assumptions` say what
    is taken as traced though no file traces it, `seconds` how long one root may take.

    `dependents` are analysed with the files, for what they trace; a report on one of them, or on
    any other file that is not named, comes last and only if something is found there. Modules are
    imported from `import_roots` too. What is `hidden` counts as not there. `index` knows what
    earlier runs have found in parts that have not changed, and keeps what is found now.
    """
    texts = Texts(overlay or {})
    setup = Setup(
        assumptions,
        seconds,
        tuple(import_roots),
        frozenset(map(texts.real_path, hidden)),
        {texts.real_path(path): path for path in (*dependents, *files)},
    )
    parts = divide(files, dependents, texts, import_roots)
    outcomes = [None if index is None else index.find(part, setup, texts) for part in parts]
    if None in outcomes:
        run_deep(lambda: _analyse_missing(parts, outcomes, setup, texts, cache, index))
    found = _merged(outcomes)
    named = {str(path) for path in files}
    elsewhere = [Path(file) for file in sorted(found) if file not in named]
    for paths, is_named in ((files, True), (elsewhere, False)):
        for path in paths:
            findings = tuple(sorted(found.get(str(path), {}).values()))
            source = texts.source(path)
            known = None if isinstance(source, Unreadable) else source
            yield FileReport(path, known, findings, is_named)


def _analyse_missing(
    parts: Sequence[Part],
    outcomes: list[dict[str, Findings] | None],
    setup: Setup,
    texts: Texts,
    cache: UnitCache | None,
    index: "Index | None",
) -> None:
    """Analyses the parts of which nothing is known, and notes what is found."""

    def units_of(path: Path) -> UnitSource | None:
        return cache if index is None else index.units_of(path)

    modules: list[ModuleFacts] = []
    for place, part in enumerate(parts):
        if outcomes[place] is not None:
            continue
        if index is None:
            session = Session(part, texts, setup, None, units_of)
            outcomes[place] = session.run()
        else:
            session, outcomes[place] = _analyse_and_keep(part, setup, texts, index)
        if cache is not None:
            modules += session.modules.values()
    if cache is not None:
        cache.keep(*modules)


def _analyse_and_keep(
    part: Part, setup: Setup, texts: Texts, index: "Index"
) -> tuple[Session, dict[str, Findings]]:
    """Analyses a part, or what has changed in it, and keeps what is found."""
    from oakum_lint.app.index.ledger import Ledger, Unforeseen

    reads = Reads()
    ledger = index.open_ledger(part, setup, texts, reads)
    session = Session(part, texts, setup, reads, index.units_of, ledger)
    try:
        found = session.run()
    except Unforeseen:
        reads, ledger = Reads(), Ledger()
        session = Session(part, texts, setup, reads, index.units_of, ledger)
        found = session.run()
    index.keep(part, setup, session, reads, ledger)
    return session, found


def _merged(outcomes: Iterable[dict[str, Findings] | None]) -> dict[str, Findings]:
    """The findings of all parts. Two parts may find the same in a file that is in neither: the
    proved finding counts, or the least, whatever of it was known before.
    """
    found: dict[str, Findings] = {}
    for file, findings in (item for outcome in outcomes if outcome for item in outcome.items()):
        here = found.setdefault(file, {})
        for key, finding in findings.items():
            old = here.get(key)
            if old is None or _rank(finding) < _rank(old):
                here[key] = finding
    return found


def _rank(finding: Finding) -> tuple[bool, Finding]:
    return (finding.confidence is Confidence.LIKELY, finding)


def run_deep(work: Callable[[], None]) -> None:
    """Does the work of an analysis, in a thread with room for its recursion."""
    failure: list[BaseException] = []

    def guarded() -> None:
        try:
            # What the environment says of x64 holds for programs that run here, not for these.
            with dtypes.assume_x64(False):
                work()
        except BaseException as error:
            # Handed over to the calling thread.
            failure.append(error)

    # Most of what an analysis makes lives to its end: the collector would only look at it again.
    thresholds = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD, *thresholds[1:])
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    previous = threading.stack_size(STACK_SIZE)
    try:
        thread = threading.Thread(target=guarded, name="oakum-analysis")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
        sys.setrecursionlimit(limit)
        gc.set_threshold(*thresholds)
    if failure:
        raise failure[0]
