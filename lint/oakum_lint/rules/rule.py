"""What a rule is: its page, its examples and its check, in one class of one file.

Tests, `rules.md`, `oakum explain`, SARIF metadata and editor links are derived from these classes.
"""

from collections.abc import Iterator
from typing import ClassVar

from oakum.values.codes import Code
from oakum_lint.domain.events import Event
from oakum_lint.fixes.site import Site
from oakum_lint.rules.wording import weak_type_in
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Confidence, Finding, Severity


class Rule:
    """Base of all rules. The docstring of a subclass is its page, in the sections of `rules.page`.

    `bad` examples hold a comment `#! CODE` at the end of each line that must be found (`#! CODE
    column` pins the column); every example is a whole program that runs: a bad one raises or leaks
    at the marked line under JAX, a good one runs clean. `#~ Exception` marks the line where a
    leaked tracer raises later.
    """

    code: ClassVar[Code]
    listens: ClassVar[tuple[type[Event], ...]]
    severity: ClassVar[Severity] = Severity.ERROR
    silent: ClassVar[bool] = False
    """Whether nothing raises and no output tells: the bad examples assert what goes wrong."""
    fixes: ClassVar[tuple[Safety, ...]] = ()
    """How safe the fixes are that `fix` makes; the page then has a section `Fix`."""
    keeps_results: ClassVar[bool] = False
    """Whether its fixes leave all results as they are: then one is safe also where its finding is
    only likely. Else the code may run where nothing is traced, and do something else there."""
    not_in_uncalled: ClassVar[str] = ""
    """Why a bad example is not found in a function that nobody is seen to call, if it is not."""
    since: ClassVar[str] = "0.1"
    bad: ClassVar[tuple[str, ...]]
    good: ClassVar[tuple[str, ...]]

    def check(self, event: Event) -> Iterator[Finding]:
        """Yields the findings of one event of a class in `listens`."""
        raise NotImplementedError

    def fix(self, event: Event, site: Site) -> Fix | None:
        """The fix for the finding of one event at its place in the program, where there is one.

        What it is made of is imported here: most runs find nothing to fix.
        """
        return None

    def finding(self, event: Event, message: str, hint: str, *notes: str) -> Finding:
        """The finding of this rule at the place of `event`; `message` is its headline."""
        if event.guard:
            notes = (*notes, f"this happens when `{event.guard}` allows it")
        weak = weak_type_in(message)
        if weak:
            notes = (*notes, f"`{weak}` is weakly typed: it takes the dtype of what it meets")
        severity = self.severity
        if event.confidence is Confidence.LIKELY:
            severity = Severity.WARNING
        return Finding(
            event.location,
            self.code.code,
            self.code.name,
            message,
            hint,
            severity,
            event.confidence,
            event.related,
            notes,
        )
