"""What a run has found, for reports, fixes and the cache."""

from collections import Counter
from collections.abc import Sequence

from oakum_lint.app.project_context import ProjectContext
from oakum_lint.app.settings import Settings

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from oakum_lint.text.finding import Finding


class CheckResult:
    """The findings and the statistics of a run.

    A plain class: `dataclasses` is not imported for a run that finds nothing to analyse.
    """

    __slots__ = (
        "checked",
        "context",
        "each_place",
        "elsewhere",
        "errors",
        "explains_confidence",
        "failures",
        "files",
        "findings",
        "fixed",
        "hidden",
        "incomplete",
        "known",
        "lacks_project",
        "stale",
        "standard_input",
        "statistics",
        "texts",
        "unsafe_fixes",
    )

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.errors: list[Finding] = []
        """Where code certainly raises for a reason that is no rule's: nobody is shown these."""
        self.checked = 0
        """How many files were looked at."""
        self.failures = 0
        """How often something was not checked, or not written, that was asked for."""
        self.incomplete = 0
        """In how many places not all was analysed (`incomplete-analysis`), ignored ones too."""
        self.statistics: Counter[str] = Counter()
        """How many findings each code has."""
        self.texts: dict[str, str] = {}
        """The texts of the files that have findings, for code frames."""
        self.files: Sequence[str] = ()
        """The files that were analysed together."""
        self.context: ProjectContext | None = None
        """The project around the files; None where nothing beside the files was looked at."""
        self.elsewhere = 0
        """How many findings lie in files that were not named, which the named ones cause."""
        self.hidden = 0
        """How many findings are information, and were not asked for."""
        self.lacks_project = False
        """Whether files were named that lie in no project: what traces them was not seen."""
        self.known = 0
        """How many findings the baseline hides."""
        self.stale = 0
        """How many entries of the baseline are found no more."""
        self.standard_input: bytes | None = None
        """What was read there, if that was checked."""
        self.unsafe_fixes = False
        """Whether unsafe fixes count as fixes."""
        self.each_place = False
        """Whether reports for people show each place of a cause that has many."""
        self.explains_confidence = False
        """Whether reports for people say what each likely finding lacks to be proved."""
        self.fixed: int | None = None
        """How many findings the run has fixed, if it fixes."""

    def fails(self, settings: Settings) -> bool:
        """Whether there is a finding that a run must not pass with: a proved one, or any if the
        likely ones were asked for. Information is none of these.
        """
        likely_ones_fail = settings.min_confidence == "likely"
        return any(
            finding.severity != "information" and (likely_ones_fail or not finding.weak)
            for finding in self.findings
        )

    @property
    def likely(self) -> int:
        """How many findings are likely, not proved."""
        return sum(finding.confidence == "likely" for finding in self.findings)
