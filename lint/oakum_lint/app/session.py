"""The analysis of one part of a run: reading, interpretation, rules, fixes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from oakum.values.records import dataclass, replace
from oakum_lint.app.parts import Part
from oakum_lint.app.texts import Texts
from oakum_lint.domain.assumptions import Assumptions
from oakum_lint.rules import RULES
from oakum_lint.syntax.cache import UnitSource
from oakum_lint.syntax.module import ModuleFacts, UnitFacts
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.failures import CERTAIN_ERROR, in_words, start_of, tool_finding
from oakum_lint.text.finding import Confidence, Finding, Location
from oakum_lint.text.imports.import_graph import (
    Files,
    by_text,
    imported_files,
    module_names,
    reaching,
)
from oakum_lint.text.reads import Reads
from oakum_lint.text.source import Unreadable, shown_path
from oakum_lint.text.triggers import imports_tracer_library, names_tracer_library

if TYPE_CHECKING:
    from oakum_lint.app.index.ledger import Ledger
    from oakum_lint.app.index.places import Atlas
    from oakum_lint.app.live.observations import Observations
    from oakum_lint.domain.events import Event
    from oakum_lint.domain.groups.bodies import Needed
    from oakum_lint.domain.interpreter import Machine
    from oakum_lint.domain.project import Project
    from oakum_lint.driver import Interpretation
    from oakum_lint.rules.rule import AnyRule

Findings = dict[tuple[Location, str], Finding]
"""The findings of a file, by place and code."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What all parts of a run have in common."""

    assumptions: Assumptions
    seconds: float
    import_roots: tuple[Path, ...]
    hidden: frozenset[Path]
    """The real paths of files that count as not there."""
    spelled: Mapping[Path, Path]
    """The files of all parts as their user spelled them, by their real paths."""

    def is_like(self, other: "Setup") -> bool:
        """Whether an analysis with the other one finds the same."""
        return (
            self.assumptions.key == other.assumptions.key
            and self.seconds == other.seconds
            and self.import_roots == other.import_roots
            and self.hidden == other.hidden
            and self.spelled == other.spelled
        )

    def shown(self, path: Path) -> Path:
        """The path of a file as a report shows it, by its real path."""
        return self.spelled.get(path) or shown_path(path)


class _Group:
    """What one group of the work has found."""

    __slots__ = ("findings", "origins")

    def __init__(self) -> None:
        self.findings: dict[str, Findings] = {}
        self.origins: dict[tuple[Location, str], tuple[AnyRule, Event]] = {}
        """What can fix a finding: the rule that made it, and from which event."""

    def all(self) -> tuple[Finding, ...]:
        """All findings, in the order in which they were found."""
        return tuple(each for found in self.findings.values() for each in found.values())


class Session:
    """The analysis of one part: it follows the progress of the interpreter."""

    def __init__(
        self,
        part: Part,
        texts: Texts,
        setup: Setup,
        reads: Reads | None,
        units_of: Callable[[Path], UnitSource | None],
        ledger: "Ledger | None" = None,
        lowered: Mapping[Path, ModuleFacts] | None = None,
        observations: "Observations | None" = None,
        share: "Callable[[Session], bool] | None" = None,
    ) -> None:
        self.part = part
        self.everything = (*part.files, *part.dependents)
        self.texts = texts
        self.setup = setup
        self.reads = reads
        self._units_of = units_of
        self._lowered = lowered or {}
        """The units of files that an analysis which was given up has lowered."""
        self.modules: dict[Path, ModuleFacts] = {}
        self.ledger = ledger
        """What is noted for later runs, or known from an earlier one."""
        self.observations = observations
        """What is noted for an editor."""
        self._own_atlas: Atlas | None = None
        self._share = share
        """Has processes share the groups of the work; whether they have done it."""
        self.relevant: Sequence[Path] = ()
        self._now = _Group()
        self.interpretation: Interpretation | None = None
        """The modules of the part as their bodies have left them, once these have run."""
        self.groups: dict[str, _Group] = {}
        """What each group of the work has found, in the order in which they run."""
        self._found: dict[str, Findings] = {}

    def run(self) -> dict[str, Findings]:
        """Analyses the part; what is found, by file."""
        record = None if self.ledger is None else self.ledger.record
        checked = frozenset(self.part.files)
        for path in self.everything:
            facts = self.load(path)
            if facts is not None and path in checked and record is None:
                self._add_problems(path, facts)
        self.groups["texts"] = self._now
        self.relevant = (
            self.relevant_files() if record is None else [Path(file) for file in record.relevant]
        )
        if self.relevant:
            self.interpret(self.relevant)
            self.propose_fixes()
        return self._settle()

    def run_again(self, texts: Texts, ledger: "Ledger") -> dict[str, Findings]:
        """Analyses once more what the changes in a ledger concern, which the units have made."""
        assert self.interpretation is not None
        self.texts, self.ledger = texts, ledger
        if self.groups["texts"].findings:
            self._now = self.groups["texts"] = _Group()
            for path in self.part.files:
                self._add_problems(path, self.modules[texts.real_path(path)])
        self.interpretation.run_groups(self)
        self.propose_fixes()
        return self._settle()

    def _add_problems(self, path: Path, facts: ModuleFacts) -> None:
        for problem in facts.problems():
            place = facts.source.location(problem.start, problem.end, str(path))
            self.add(tool_finding(place, problem.code, problem.message, problem.hint))

    def found(self) -> dict[str, Findings]:
        """What all groups have found in the last run."""
        return self._found

    def _settle(self) -> dict[str, Findings]:
        """Takes what all groups have found together."""
        found: dict[str, Findings] = {}
        for group in self.groups.values():
            for file, findings in group.findings.items():
                kept = found.setdefault(file, {})
                for key, finding in findings.items():
                    if _is_better(finding, kept.get(key)):
                        kept[key] = finding
        self._settle_fixes(found)
        self._found = found
        return found

    def _settle_fixes(self, found: dict[str, Findings]) -> None:
        """Decides which fixes are safe, now that all runs of functions are known."""
        waiting = [
            (findings, key, fix.premise)
            for findings in found.values()
            for key, finding in findings.items()
            if (fix := finding.fix) is not None and fix.premise is not None
        ]
        if self.interpretation is None or not waiting:
            return
        from oakum_lint.fixes.premises import refutation, tree_of

        working, atlas = self.interpretation.machine.known.working, self._atlas()
        is_working = partial(working.knows, name_of=atlas.name_of)
        unfollowed = cache(lambda: tuple(self._unfollowed()))
        statements = cache(lambda: tuple(unit for _, _, unit in self._statements()))
        tree = cache(tree_of)
        for findings, key, premise in waiting:
            reason = refutation(premise, is_working, unfollowed, statements, tree)
            findings[key] = _settled(findings[key], reason)

    def _unfollowed(self) -> "Iterator[UnitFacts]":
        """The statements of the part's files of which nothing was followed: those of files in which
        no trace can begin, and functions and classes in which no finding can.
        """
        assert self.interpretation is not None
        entered = self.interpretation.machine.known.entered
        followed = {name[:2] for name in entered.names(self._atlas().name_of)}
        run = frozenset(self.relevant)
        for path, number, unit in self._statements():
            is_followed = path in run
            if unit.kind == "definition":
                is_followed = (str(unit.module.source.path), number) in followed
            if not is_followed:
                yield unit

    def _statements(self) -> "Iterator[tuple[Path, int, UnitFacts]]":
        """The statements of the part's files but for imports, with their files and numbers."""
        for path in self.everything:
            facts = self.modules.get(self.texts.real_path(path))
            for number, unit in enumerate(facts.units if facts is not None else ()):
                if unit.kind != "import":
                    yield path, number, unit

    def can_be_taken_up(self) -> bool:
        """Whether all that was found is what the work on functions and modules has found."""
        texts = [group for name, group in self.groups.items() if name in ("texts", "statements")]
        return bool(self.relevant) and not any(group.findings for group in texts)

    def begins(self, machine: "Machine", name: str) -> bool:
        """Hears that a group is about to run; whether it has to."""
        self._now = self.groups[name] = _Group()
        if self.ledger is None or self.ledger.begins(machine, name):
            if self.observations is not None:
                self.observations.begins(name)
            return True
        assert self.ledger.record is not None
        for finding in self.ledger.record.groups[name].findings:
            self.add(finding)
        return False

    def needed(self, machine: "Machine") -> "Needed | None":
        """What has to run of the bodies of modules; None for all. What that reports is known."""
        self._now = _Group()
        return None if self.ledger is None else self.ledger.needed(machine)

    def ended(self, machine: "Machine", name: str) -> None:
        """Hears that it has run."""
        if self.ledger is not None:
            self.ledger.ended(machine, name)

    def take(self, name: str, findings: Iterable[Finding]) -> None:
        """Takes what another process has found in a group."""
        self._now = self.groups[name] = _Group()
        for finding in findings:
            self.add(finding)
        if self.ledger is not None:
            self.ledger.passed.append(name)

    def relevant_files(self) -> list[Path]:
        """The files in which a trace can begin: those that import JAX, if only through another file
        of the project.
        """
        real_path = self.texts.real_path
        texts = {
            resolved: self.modules[resolved].source.text
            for path in self.everything
            if (resolved := real_path(path)) in self.modules
        }
        direct = [path for path, text in texts.items() if imports_tracer_library(text)]
        if len(direct) == len(texts):
            return list(self.everything)
        direct += self._add_imported(texts)
        reached = reaching(direct, texts, self.setup.import_roots) if direct else set[Path]()
        return [path for path in self.everything if real_path(path) in reached]

    def _add_imported(self, texts: dict[Path, str]) -> list[Path]:
        """Adds the texts of further files that those import which import no library with tracers;
        returns those of them that do: what is called there may be traced.
        """
        files = Files(
            by_text(texts),
            module_names(texts),
            on_disk=True,
            import_roots=self.setup.import_roots,
            reads=self.reads,
            listed=self.texts.listed,
        )
        found: list[Path] = []
        stack = [path for path, text in texts.items() if not imports_tracer_library(text)]
        while stack:
            path = stack.pop()
            for file in imported_files(path, texts[path], files):
                imported = self.texts.real_path(file)
                facts = None if imported in texts else self.load(self.setup.shown(imported))
                if facts is None:
                    continue
                texts[imported] = facts.source.text
                (found if names_tracer_library(facts.source.text) else stack).append(imported)
        return found

    def load(self, path: Path) -> ModuleFacts | None:
        """Reads a file, or an editor's text of it; a file that cannot be read gets its finding."""
        resolved = self.texts.real_path(path)
        if resolved in self.setup.hidden:
            return None
        if resolved in self.modules:
            return self.modules[resolved]
        source = self.texts.source(path)
        if self.reads is not None:
            self.reads.note_file(str(resolved), self.texts.digest(path))
        if isinstance(source, Unreadable):
            self.add(_unreadable(path, source.message))
            return None
        facts = self._lowered.get(resolved) or ModuleFacts(source, self._units_of(resolved))
        self.modules[resolved] = facts
        return facts

    def interpret(self, relevant: Sequence[Path]) -> None:
        # Loaded here: a run over files without tracer code must not pay for the interpreter.
        from oakum_lint.domain.events import CertainError
        from oakum_lint.domain.project import Project
        from oakum_lint.driver import PARTS, interpret_bodies

        parts = PARTS if self.observations is None else self.observations.watch(PARTS)
        listeners = _listeners()

        def emit(event: "Event") -> None:
            if isinstance(event, CertainError):
                self.add(tool_finding(event.location, CERTAIN_ERROR, ""))
            for rule in listeners.get(type(event).__name__, ()):
                try:
                    for finding in rule.check(event):
                        if self.add(finding) and rule.fixes:
                            self._now.origins[finding.location, finding.code] = (rule, event)
                except Exception as error:  # the other rules are asked all the same
                    fail(event.location, f"the rule {rule.code.code}", error)

        def fail(place: Location, what: str, error: Exception) -> None:
            self.add(tool_finding(place, "OAK004", in_words(what, error)))

        project = Project(
            self.everything,
            self.load,
            self.setup.import_roots,
            self.reads,
            self.setup.shown,
            self.texts.listed,
        )
        modules = [m for m in map(project.module_at, relevant) if m is not None]
        self._restrict(project)
        if self.ledger is not None:
            self.ledger.look_at_changes(project)
        seconds = self.setup.seconds
        self.interpretation = interpret_bodies(
            project, modules, emit, fail, self.setup.assumptions, seconds, parts, progress=self
        )
        self._run_groups(self.interpretation)
        self._now = self.groups["statements"] = _Group()
        self.add_late_problems()

    def _run_groups(self, interpretation: "Interpretation") -> None:
        if self.ledger is not None:
            self.ledger.look_at_work(interpretation.groups)
        if self._share is None or not self._share(self):
            interpretation.run_groups(self)
        if self.ledger is not None:
            self.ledger.check_end()

    def _restrict(self, project: "Project") -> None:
        """Restricts the analysis of dependents to what they do with the files."""
        if self.part.files and self.part.dependents:
            both = (self.part.files, self.part.dependents)
            seen = [[*map(project.module_at, paths)] for paths in both]
            checked, dependents = ([m for m in part if m is not None] for part in seen)
            project.restrict(dependents, checked)

    def add_late_problems(self) -> None:
        """Adds what kept code from being lowered that was parsed only when it was asked for."""
        for path in self.part.files:
            facts = self.modules.get(self.texts.real_path(path))
            for unit in facts.units if facts is not None else ():
                problem = unit.problem if unit.is_parsed else None
                if facts is not None and problem is not None and problem.code != "OAK001":
                    place = facts.source.location(problem.start, problem.end, str(path))
                    self.add(tool_finding(place, problem.code, problem.message, problem.hint))

    def propose_fixes(self, *names: str) -> None:
        """Adds the fixes that their rules know to the findings of some groups, or of all."""
        groups = [group for name in names or self.groups if (group := self.groups[name]).origins]
        if not groups:
            return
        from oakum_lint.fixes.kept import forget_files

        for self._now in groups:
            self._propose_fixes(self._now)
            self._now.origins.clear()
        forget_files()

    def _propose_fixes(self, group: "_Group") -> None:
        from oakum_lint.fixes.editing.alignments import keep_alignment
        from oakum_lint.fixes.editing.line_lengths import keep_length
        from oakum_lint.fixes.premises import premise_of
        from oakum_lint.fixes.site import find_site

        for (place, code), (rule, event) in group.origins.items():
            path = Path(place.file)
            facts = self.modules.get(self.texts.real_path(path))
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
            if fix is not None:
                fix = keep_length(site.whole_text, keep_alignment(site.whole_text, fix))
            kept = group.findings[place.file]
            finding = kept[place, code]
            if (
                fix is not None
                and finding.confidence is Confidence.LIKELY
                and not rule.keeps_results
            ):
                fix = replace(fix, safety=Safety.UNSAFE)
            if fix is not None and fix.safety is Safety.SAFE and not rule.keeps_results:
                fix = replace(fix, premise=premise_of(site, self._atlas().name_at))
            kept[place, code] = replace(finding, fix=fix)

    def _atlas(self) -> "Atlas":
        """What names functions as other runs know them."""
        if self.ledger is not None:
            return self.ledger.atlas
        if self._own_atlas is None:
            from oakum_lint.app.index.places import Atlas

            self._own_atlas = Atlas()
        return self._own_atlas

    def add(self, finding: Finding) -> bool:
        """Keeps a finding of the running group; of two at one place the proved one. Whether this
        is it.
        """
        kept = self._now.findings.setdefault(finding.location.file, {})
        key = (finding.location, finding.code)
        if _is_better(finding, kept.get(key)):
            kept[key] = finding
            return True
        return False


def _settled(finding: Finding, reason: str) -> Finding:
    """A finding with its fix, which is unsafe for a reason, or safe if there is none."""
    assert finding.fix is not None
    if not reason:
        return replace(finding, fix=replace(finding.fix, premise=None))
    note = f"its fix is unsafe: {reason}"
    fix = replace(finding.fix, safety=Safety.UNSAFE, premise=None)
    return replace(finding, fix=fix, notes=(*finding.notes, note))


def _is_better(finding: Finding, old: Finding | None) -> bool:
    return old is None or (
        old.confidence is Confidence.LIKELY and finding.confidence is Confidence.PROVED
    )


def _listeners() -> "dict[str, list[AnyRule]]":
    """The rules, by the names of the events that they hear."""
    from oakum_lint.rules.rule import heard_by

    found: dict[str, list[AnyRule]] = {}
    for kind in RULES:
        rule = kind()
        for heard in heard_by(kind):
            found.setdefault(heard, []).append(rule)
    return found


def _unreadable(path: Path, message: str) -> Finding:
    return tool_finding(start_of(str(path)), "OAK002", message)


def _loses_comment(text: str, fix: Fix) -> bool:
    from oakum_lint.fixes.editing.comments import keeps_comments

    return not keeps_comments(text, fix)
