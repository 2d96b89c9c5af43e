"""Analysis of files: reading, interpretation, rules. What the command and the server both call."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from oakum.values.records import dataclass
from oakum_lint.app.distribution.deep_thread import run_deep
from oakum_lint.app.distribution.shards import Shard
from oakum_lint.app.part_analysis import analyse_part
from oakum_lint.app.parts import Part, divide
from oakum_lint.app.progress import Progress
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.domain.assumptions import NOTHING_ASSUMED, Assumptions
from oakum_lint.domain.limits import SECONDS_PER_ROOT
from oakum_lint.syntax.cache import UnitCache, UnitSource
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.failures import CERTAIN_ERROR
from oakum_lint.text.finding import Confidence, Finding
from oakum_lint.text.source import Source, Unreadable

if TYPE_CHECKING:
    from oakum_lint.app.distribution.shards import Keeper


@dataclass(frozen=True, slots=True)
class FileReport:
    """The findings in one file, and where it certainly raises for another reason. `source` is None
    when it could not be read; `is_named` says whether the file was to be checked, and not only
    looked at for what traces the checked ones.
    """

    path: Path
    source: Source | None
    findings: tuple[Finding, ...]
    errors: tuple[Finding, ...]
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
    index: "Keeper | None" = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Iterator[FileReport]:
    """Analyses files, those that imports connect together, and reports on each in order.

    `overlay` holds the text of files that an editor has changed. A file that cannot be read or
    parsed gets a finding that says so; the rest is analysed all the same. `assumptions` say what
    is taken as traced though no file traces it, `seconds` how long one root may take.

    `dependents` are analysed with the files, for what they trace; a report on one of them, or on
    any other file that is not named, comes last and only if something is found there. Modules are
    imported from `import_roots` too. What is `hidden` counts as not there. `index` knows what
    earlier runs have found in parts that have not changed, and keeps what is found now. Up to
    `jobs` processes share the parts.
    """
    texts = Texts(overlay or {}, None if index is None else index.states)
    setup = Setup(
        assumptions,
        seconds,
        tuple(import_roots),
        frozenset(map(texts.real_path, hidden)),
        {texts.real_path(path): path for path in (*dependents, *files)},
    )
    parts = divide(files, dependents, texts, import_roots)
    if isinstance(index, Shard):
        index.choose(parts, setup, texts)
    outcomes = [None if index is None else index.find(part, setup, texts) for part in parts]
    if jobs > 1 and outcomes.count(None) > 1:
        from oakum_lint.app.distribution.processes import Shared, analyse_apart

        folder = None if index is None else index.folder
        shared = Shared(setup, dict(overlay or {}), folder)
        analyse_apart(parts, outcomes, shared, texts, index, jobs, progress)
    if None in outcomes:
        share = None
        if jobs > 1:
            from oakum_lint.app.distribution.groups import share_groups

            share = partial(share_groups, jobs=jobs)
        missing = partial(
            _analyse_missing, parts, outcomes, setup, texts, cache, index, progress, share
        )
        run_deep(missing, progress)
    if progress is not None:
        progress.end()
    if isinstance(index, Shard):
        index.take(parts, outcomes, setup, texts)
    found = _merged(outcomes)
    named = {str(path) for path in files}
    elsewhere = [Path(file) for file in sorted(found) if file not in named]
    for paths, is_named in ((files, True), (elsewhere, False)):
        for path in paths:
            here = sorted(found.get(str(path), {}).values())
            findings, errors = (
                tuple([each for each in here if (each.code == CERTAIN_ERROR) is is_error])
                for is_error in (False, True)
            )
            source = texts.source(path)
            known = None if isinstance(source, Unreadable) else source
            yield FileReport(path, known, findings, errors, is_named)


def _analyse_missing(
    parts: Sequence[Part],
    outcomes: list[dict[str, Findings] | None],
    setup: Setup,
    texts: Texts,
    cache: UnitCache | None,
    index: "Keeper | None",
    progress: Progress | None,
    share: Callable[[Session], bool] | None,
) -> None:
    """Analyses the parts of which nothing is known, and notes what is found."""

    def units_of(path: Path) -> UnitSource | None:
        if progress is not None:
            progress.note(path)
        return cache if index is None else index.units_of(path)

    modules: list[ModuleFacts] = []
    for place, part in enumerate(parts):
        if outcomes[place] is not None:
            continue
        session, outcomes[place] = analyse_part(part, setup, texts, units_of, index, share)
        if cache is not None and index is None:
            modules += session.modules.values()
    if cache is not None and modules:
        cache.keep(*modules)


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
