"""Analysis of files: reading, interpretation, rules. What the command and the server both call."""

import gc
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from oakum import dtypes
from oakum.values.records import dataclass, replace
from oakum_lint.domain.assumptions import NOTHING_ASSUMED, Assumptions
from oakum_lint.domain.limits import GC_THRESHOLD, SECONDS_PER_ROOT
from oakum_lint.rules import RULES
from oakum_lint.syntax.module import ModuleFacts, UnitCache
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.failures import in_words, start_of, tool_finding
from oakum_lint.text.finding import Confidence, Finding, Location
from oakum_lint.text.imports.import_graph import reaching
from oakum_lint.text.reads import Reads
from oakum_lint.text.source import Source, Unreadable, read_source, real_path
from oakum_lint.text.triggers import imports_tracer_library

if TYPE_CHECKING:
    from oakum_lint.domain.events import Event
    from oakum_lint.rules.rule import AnyRule

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
    reads: Reads | None = None,
) -> Iterator[FileReport]:
    """Analyses files together, following imports between them, and reports on each in order.

    `overlay` holds the text of files that an editor has changed. A file that cannot be read or
    parsed gets a finding that says so; the rest is analysed all the same. `assumptions` say what
    is taken as traced though no file traces it, `seconds` how long one root may take.

    `dependents` are analysed with the files, for what they trace; a report on one of them, or on
    any other file that is not named, comes last and only if something is found there. Modules are
    imported from `import_roots` too. What is `hidden` counts as not there. `reads` takes what the
    disk was asked.
    """
    session = _Session(
        files,
        overlay or {},
        cache,
        assumptions,
        seconds,
        dependents=dependents,
        import_roots=import_roots,
        hidden=hidden,
        reads=reads,
    )
    outcome: list[list[FileReport]] = []
    run_deep(lambda: outcome.append(session.run()))
    yield from outcome[0]


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


class _Session:
    """One run over a set of files."""

    def __init__(
        self,
        files: Sequence[Path],
        overlay: Mapping[Path, str],
        cache: UnitCache | None,
        assumptions: Assumptions,
        seconds: float,
        *,
        dependents: Sequence[Path],
        import_roots: Sequence[Path],
        hidden: Sequence[Path],
        reads: Reads | None,
    ) -> None:
        self.reads = reads
        self.parts = (files, dependents)
        self.everything = (*files, *dependents)
        self.import_roots = import_roots
        self.hidden = {real_path(path) for path in hidden}
        self.seconds = seconds
        self.assumptions = assumptions
        self.files = files
        self.real_paths = {path: real_path(path) for path in self.everything}
        self.overlay = {real_path(path): text for path, text in overlay.items()}
        self.cache = cache
        self.sources: dict[Path, Source] = {}
        self.modules: dict[Path, ModuleFacts] = {}
        self.findings: dict[str, dict[tuple[Location, str], Finding]] = {}
        self.origins: dict[tuple[Location, str], tuple[AnyRule, Event]] = {}
        """What can fix a finding: the rule that made it, and from which event."""

    def run(self) -> list[FileReport]:
        for path in self.files:
            facts = self.load(path)
            if facts is None:
                continue
            for problem in facts.problems():
                place = facts.source.location(problem.start, problem.end, str(path))
                self.add(tool_finding(place, problem.code, problem.message, problem.hint))
        for path in self.parts[1]:
            self.load(path)
        relevant = self.relevant_files()
        if relevant:
            self.interpret(relevant)
            self.propose_fixes()
        if self.cache is not None:
            self.cache.keep(*self.modules.values())
        named = {str(path) for path in self.files}
        elsewhere = [Path(file) for file in sorted(self.findings) if file not in named]
        return [
            *(self.report(path, is_named=True) for path in self.files),
            *(self.report(path, is_named=False) for path in elsewhere),
        ]

    def report(self, path: Path, *, is_named: bool) -> FileReport:
        found = tuple(sorted(self.findings.get(str(path), {}).values()))
        source = self.sources.get(self.real_paths.get(path) or real_path(path))
        return FileReport(path, source, found, is_named)

    def relevant_files(self) -> list[Path]:
        """The files in which a trace can begin: those that import JAX, if only through another file
        of the project.
        """
        texts = {
            resolved: source.text
            for path in self.everything
            if (source := self.sources.get(resolved := self.real_paths[path])) is not None
        }
        direct = [path for path, text in texts.items() if imports_tracer_library(text)]
        if len(direct) in (0, len(texts)):
            reached = set(direct)
        else:
            reached = reaching(direct, texts, self.import_roots)
        return [path for path in self.everything if self.real_paths[path] in reached]

    def load(self, path: Path) -> ModuleFacts | None:
        """Reads a file, or an editor's text of it; a file that cannot be read gets its finding."""
        resolved = self.real_paths.get(path) or real_path(path)
        if resolved in self.hidden:
            return None
        if resolved in self.modules:
            return self.modules[resolved]
        text = self.overlay.get(resolved)
        source = Source.from_text(text, path) if text is not None else read_source(path)
        if self.reads is not None:
            text = None if isinstance(source, Unreadable) else source.text
            self.reads.note_file(str(resolved), text)
        if isinstance(source, Unreadable):
            self.add(_unreadable(path, source.message))
            return None
        self.sources[resolved] = source
        facts = ModuleFacts(source, self.cache)
        self.modules[resolved] = facts
        return facts

    def interpret(self, relevant: Sequence[Path]) -> None:
        # Loaded here: a run over files without tracer code must not pay for the interpreter.
        from oakum_lint.domain.project import Project
        from oakum_lint.driver import interpret
        from oakum_lint.rules.rule import heard_by

        listeners: dict[str, list[AnyRule]] = {}
        for kind in RULES:
            rule = kind()
            for heard in heard_by(kind):
                listeners.setdefault(heard, []).append(rule)

        def emit(event: "Event") -> None:
            for rule in listeners.get(type(event).__name__, ()):
                try:
                    for finding in rule.check(event):
                        if self.add(finding) and rule.fixes:
                            self.origins[finding.location, finding.code] = (rule, event)
                except Exception as error:  # the other rules are asked all the same
                    fail(event.location, f"the rule {rule.code.code}", error)

        def fail(place: Location, what: str, error: Exception) -> None:
            self.add(tool_finding(place, "OAK004", in_words(what, error)))

        project = Project(self.everything, self.load, self.import_roots, self.reads)
        modules = [m for m in map(project.module_at, relevant) if m is not None]
        if self.files and len(self.everything) > len(self.files):
            seen = [[*map(project.module_at, part)] for part in self.parts]
            checked, dependents = ([m for m in part if m is not None] for part in seen)
            project.restrict(dependents, checked)
        interpret(project, modules, emit, fail, self.assumptions, self.seconds)
        self.add_late_problems()

    def add_late_problems(self) -> None:
        """Adds what kept code from being lowered that was parsed only when it was asked for."""
        for path in self.files:
            facts = self.modules.get(self.real_paths[path])
            for unit in facts.units if facts is not None else ():
                problem = unit.problem if unit.is_parsed else None
                if facts is not None and problem is not None and problem.code != "OAK001":
                    place = facts.source.location(problem.start, problem.end, str(path))
                    self.add(tool_finding(place, problem.code, problem.message, problem.hint))

    def propose_fixes(self) -> None:
        """Adds to findings the fixes that their rules know."""
        if not self.origins:
            return
        from oakum_lint.fixes.editing.values import forget_files
        from oakum_lint.fixes.site import find_site

        for (place, code), (rule, event) in self.origins.items():
            path = Path(place.file)
            facts = self.modules.get(real_path(path))
            site = None if facts is None else find_site(facts, place)
            if site is None:
                continue
            try:
                fix = rule.fix(event, site)
            except Exception as error:  # what was found is still true
                self.add(tool_finding(place, "OAK004", in_words(f"the fix of {code}", error)))
                continue
            if fix is not None and _loses_comment(site.whole_text, fix):
                continue
            kept = self.findings[place.file]
            finding = kept[place, code]
            if (
                fix is not None
                and finding.confidence is Confidence.LIKELY
                and not rule.keeps_results
            ):
                fix = replace(fix, safety=Safety.UNSAFE)
            kept[place, code] = replace(finding, fix=fix)
        forget_files()

    def add(self, finding: Finding) -> bool:
        """Keeps a finding; of two at one place the proved one. Whether this is it."""
        kept = self.findings.setdefault(finding.location.file, {})
        key = (finding.location, finding.code)
        old = kept.get(key)
        if old is None or (
            old.confidence is Confidence.LIKELY and finding.confidence is Confidence.PROVED
        ):
            kept[key] = finding
            return True
        return False


def _unreadable(path: Path, message: str) -> Finding:
    return tool_finding(start_of(str(path)), "OAK002", message)


def _loses_comment(text: str, fix: Fix) -> bool:
    from oakum_lint.fixes.editing.comments import keeps_comments

    return not keeps_comments(text, fix)
