"""What a rule is: its page, its examples and its check, in one class of one file.

Tests, `rules.md`, `oakum explain`, SARIF metadata and editor links are derived from these classes.

Invariants:
- Importing a rule loads no part of the interpreter: an editor's server and `oakum explain` read its
  page alone. So the events of analyses are imported for type checkers, and named in quotes.
"""

from collections.abc import Iterator
from functools import cache
from types import UnionType
from typing import Any, ClassVar, ForwardRef, Generic, Never, TypeAlias, TypeVar, get_args

from oakum.values.codes import Code
from oakum_lint.domain.events import Event
from oakum_lint.fixes.site import Site
from oakum_lint.rules.wording import weak_type_in
from oakum_lint.text.edits import Fix, Safety
from oakum_lint.text.finding import Confidence, Finding, Severity

Heard = TypeVar("Heard", bound=Event)


class Rule(Generic[Heard]):
    """Base of all rules, by the events that one hears: `Rule[Leak]`, `Rule["donation.Freed"]`. The
    docstring of a subclass is its page, in the sections of `rules.page`.

    `bad` examples hold a comment `#! CODE` at the end of each line that must be found (`#! CODE
    column` pins the column); every example is a whole program that runs: a bad one raises or leaks
    at the marked line under JAX, a good one runs clean. `#~ NAME` marks the line where a leaked
    tracer raises later, by the name of the exception; `#~ Exception` stands for any.
    """

    code: ClassVar[Code]
    confidence: ClassVar[str]
    """When a finding of this rule is proved, and when it is only likely, beside what holds for all:
    behind a test that is not decided, or in code that is traced by convention, it is likely."""
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

    def check(self, event: Heard) -> Iterator[Finding]:
        """Yields the findings of one event."""
        raise NotImplementedError

    def fix(self, event: Heard, site: Site) -> Fix | None:
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
            event.weak,
            event.related,
            notes,
            cause=event.cause,
        )


AnyRule: TypeAlias = Rule[Any]
"""A rule in a list of all: it gets the events of the classes that `heard_by` names."""


@cache
def heard_by(rule: type[AnyRule]) -> tuple[str, ...]:
    """The names of the classes of events that a rule hears.

    >>> from oakum_lint.domain.events import HostCall, NumpyCall
    >>> class OnHost(Rule[NumpyCall | HostCall]): ...
    >>> class OnDonation(Rule["donation.DeletedArrayUse | HostCall"]): ...
    >>> class Silent(Rule[Never]): ...
    >>> heard_by(OnHost), heard_by(OnDonation), heard_by(Silent)
    (('NumpyCall', 'HostCall'), ('DeletedArrayUse', 'HostCall'), ())
    """
    (heard,) = get_args(vars(rule)["__orig_bases__"][0])
    if heard is Never:
        return ()
    if isinstance(heard, ForwardRef):
        return tuple(name.rpartition(".")[2] for name in heard.__forward_arg__.split(" | "))
    kinds = get_args(heard) if isinstance(heard, UnionType) else (heard,)
    return tuple(kind.__name__ for kind in kinds)
