"""Findings with their fixes: which can be made together, and what texts they make."""

from collections.abc import Iterable, Mapping, Sequence

from oakum.values.records import dataclass
from oakum_lint.app.check_result import CheckResult
from oakum_lint.text.edits import Edit, Fix, apply_edits, exclude_each_other
from oakum_lint.text.finding import Finding, Severity
from oakum_lint.text.source import LineTable


@dataclass(frozen=True, slots=True)
class Proposal:
    """A finding with its fix."""

    finding: Finding
    fix: Fix

    @property
    def file(self) -> str:
        return self.finding.location.file

    @property
    def is_strict(self) -> bool:
        """Whether it may make no new finding anywhere: what it changes is not only its place, or
        the program goes on behind the finding, so that nothing is hidden there.
        """
        finding = self.finding
        goes_on = finding.severity is not Severity.ERROR
        return goes_on or self.fix.everywhere


@dataclass(frozen=True, slots=True)
class Identity:
    """What a fix is known by from one trial to the next."""

    file: str
    start: int
    code: str
    written: tuple[str, ...]


def identity_of(proposal: Proposal, result: CheckResult) -> Identity:
    """What a fix is known by: where its finding begins, of what code, and what it writes."""
    place = proposal.finding.location
    start = LineTable(result.texts[place.file]).offset(place.line, place.column)
    written = tuple(edit.text for edit in proposal.fix.edits)
    return Identity(place.file, start, proposal.finding.code, written)


def texts_with(chosen: Sequence[Proposal], texts: Mapping[str, str]) -> dict[str, str]:
    edits: dict[str, set[Edit]] = {}
    for proposal in chosen:
        edits.setdefault(proposal.file, set()).update(proposal.fix.edits)
    return {file: apply_edits(texts[file], sorted(new)) for file, new in edits.items()}


def apart(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Those of some fixes, by file, that can be made with those before them."""
    chosen: list[Proposal] = []
    taken: dict[str, list[Fix]] = {}
    for proposal in sorted(proposals, key=lambda each: each.is_strict):
        before = taken.setdefault(proposal.file, [])
        if not any(exclude_each_other(proposal.fix, other) for other in before):
            before.append(proposal.fix)
            chosen.append(proposal)
    return chosen


def local(proposals: Sequence[Proposal]) -> list[Proposal]:
    """The fixes that may bring something to light."""
    return [proposal for proposal in proposals if not proposal.is_strict]


def without(proposals: Sequence[Proposal], late: Sequence[Proposal]) -> list[Proposal]:
    return [proposal for proposal in proposals if proposal not in late]


def shares_edit(proposal: Proposal, rest: Sequence[Proposal]) -> bool:
    """Whether a fix has an edit in common with another, which may fix its finding, too."""
    edits = frozenset(proposal.fix.edits)
    return any(each.file == proposal.file and not edits.isdisjoint(each.fix.edits) for each in rest)


def moved(place: int, edits: Iterable[Edit]) -> int:
    """Where something begins once edits are made, if they leave it there."""
    return place + sum(growth(edit) for edit in edits if edit.end <= place)


def growth(edit: Edit) -> int:
    return len(edit.text) - (edit.end - edit.start)
