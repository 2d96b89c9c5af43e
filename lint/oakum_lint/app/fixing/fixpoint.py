"""Applies fixes in passes, and keeps what a new analysis confirms.

A pass applies fixes that do not touch each other, and analyses the new texts. It is tried again
without a fix whose finding is still there, that wrote text with a finding, or after which a file no
longer parses, and, where there is a new finding, without those that may make none anywhere. What a
program does wrong behind a line that fails is found only once that line is fixed: a later pass
fixes it.

Invariants:
- A text that is handed out was analysed, and holds no finding that a fix has made.
- The same texts and settings lead to the same result; fixing the result again changes nothing, but
  where `MAX_PASSES` ended it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from oakum.values.records import dataclass, field, replace
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.fixing.proposals import (
    Identity,
    Proposal,
    apart,
    identity_of,
    local,
    moved,
    shares_edit,
    texts_with,
    without,
)
from oakum_lint.app.fixing.trials import Failure, failures
from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings
from oakum_lint.text.edits import Edit
from oakum_lint.text.finding import Finding

MAX_PASSES = 30
"""So many times the texts are changed at most."""

_CHECKS = 3
_FILES = 50
"""Once so many files, and so many times those of the check, were analysed from the beginning, fixes
are no longer tried one by one to find those at fault: all that may be are left out.
"""


@dataclass(slots=True)
class Fixed:
    """The outcome of fixing: the new texts of the changed files, and what is still found in all
    files.
    """

    result: CheckResult
    texts: dict[str, str] = field(default_factory=dict[str, str])
    counts: Counter[str] = field(default_factory=Counter[str])
    """How many findings were fixed in each file."""


Check = Callable[[Mapping[str, str]], CheckResult]
"""Analyses the files of a run where some of them have other texts."""


def fix_findings(
    result: CheckResult,
    settings: Settings,
    overlay: Mapping[Path, str],
    parts: PassParts,
    *,
    unsafe: bool,
) -> Fixed:
    """Fixes what can be fixed of a result, which is that of these settings and texts. The passes go
    on from the analyses that `parts` has kept: at best those of the result.
    """
    fixed = Fixed(result)
    passes = _Passes(check_with(result, settings, overlay, parts), parts)
    for _ in range(MAX_PASSES):
        proposals = _choose(fixed.result, passes.dropped, unsafe=unsafe)
        if not proposals:
            break
        done = passes.take(proposals, fixed.result, fixed.texts)
        if done is not None:
            passes.follow(done.proposals)
            fixed.texts |= done.texts
            fixed.result = done.after
            fixed.counts.update(proposal.file for proposal in done.proposals)
    fixed.result.findings = [
        _without(f, passes.dropped, fixed.result) for f in fixed.result.findings
    ]
    return fixed


def check_with(
    result: CheckResult,
    settings: Settings,
    overlay: Mapping[Path, str],
    parts: PassParts,
) -> Check:
    """The analysis of new texts of the files of a result, which goes on from what `parts` has."""

    def check(texts: Mapping[str, str]) -> CheckResult:
        return check_files(
            result.files,
            settings,
            {**overlay, **{Path(file): text for file, text in texts.items()}},
            cache=parts.cache,
            context=result.context,
            index=parts,
        )

    return check


def fix_some(result: CheckResult, chosen: Sequence[Finding], check: Check) -> dict[str, str]:
    """The new texts of files after the fixes of some findings of a result, those that a new
    analysis confirms.
    """
    proposals = [Proposal(finding, finding.fix) for finding in chosen if finding.fix is not None]
    done = _Passes(check).take(apart(proposals), result, {})
    return {} if done is None else done.texts


def confirm(result: CheckResult, check: Check) -> None:
    """Takes from the findings of a result the fixes that a new analysis does not confirm. Each is
    tried on the texts as they are, together with those that do not touch it; as nobody gets those
    texts, they are not tried again without the ones that have failed in other places.
    """
    passes, confirmed = _Passes(check, hands_out=False), set[Identity]()
    while proposals := _choose(result, passes.dropped | confirmed, unsafe=True):
        done = passes.take(proposals, result, {})
        if done is not None:
            confirmed.update(identity_of(proposal, result) for proposal in done.proposals)
    result.findings = [_without(finding, passes.dropped, result) for finding in result.findings]


@dataclass(frozen=True, slots=True)
class _Pass:
    """Fixes that were made together, and confirmed."""

    proposals: Sequence[Proposal]
    texts: dict[str, str]
    after: CheckResult


class _Passes:
    """The passes over the texts of one run, and what did not stand the test in them. With `parts`
    they end to try fixes one by one once too much was analysed. A pass that `hands_out` its texts
    has them analysed as they are.
    """

    __slots__ = ("_check", "_failed", "_hands_out", "_most", "_parts", "dropped")

    def __init__(
        self, check: Check, parts: PassParts | None = None, *, hands_out: bool = True
    ) -> None:
        self.dropped: set[Identity] = set()
        self._failed: set[Identity] = set()
        """Those whose finding was still there once."""
        self._check = check
        self._hands_out = hands_out
        self._parts = parts
        self._most = 0 if parts is None else _CHECKS * parts.analysed + _FILES

    def follow(self, made: Sequence[Proposal]) -> None:
        """Has what is known of fixes be about the texts that some of them have made."""
        edits: dict[str, set[Edit]] = {}
        for each in made:
            edits.setdefault(each.file, set()).update(each.fix.edits)
        for known in (self.dropped, self._failed):
            later = {
                replace(each, start=moved(each.start, edits.get(each.file, ()))) for each in known
            }
            known.clear()
            known.update(later)

    def take(
        self, proposals: list[Proposal], before: CheckResult, texts: Mapping[str, str]
    ) -> _Pass | None:
        """Makes those of some fixes that stand the test together; `texts` are those of the files
        that earlier passes have changed.
        """
        new: dict[str, str] | None = None
        after = before
        while proposals:
            last, new = new, texts_with(proposals, before.texts)
            if new != last:
                after = self._check({**texts, **new})
            failed = failures(proposals, before, after)
            if not failed:
                return _Pass(proposals, new, after)
            doubtful = [each for group in failed if not group.is_sure for each in group.proposals]
            strict = [each for each in doubtful if each.is_strict]
            if strict and local(proposals):
                # What the rest has brought to light may be all that is against it. Elsewhere
                # nothing is: those texts stay, and what was found in them is known.
                files = {each.file for each in strict}
                there = [each for each in proposals if each.is_strict and each.file in files]
                proposals = without(proposals, there)
                if self._hands_out:
                    continue
                failed = [group for group in failed if without(group.proposals, there)]
            proposals = self._without_failed(proposals, failed, before)
            is_settled = all(group.is_local and _is_certain(group) for group in failed)
            if proposals and is_settled and not self._hands_out:
                return _Pass(proposals, new, after)
        return None

    def _without_failed(
        self, proposals: list[Proposal], failed: Sequence[Failure], before: CheckResult
    ) -> list[Proposal]:
        """The fixes that are tried again, without those that do not do what they were to do: they
        are tried in a later pass, or dropped where they cannot be taken for other ones.
        """
        blamed: set[str] = set()
        is_late = self._parts is not None and self._parts.analysed > self._most
        for group in failed:
            several = group.proposals
            if not _is_certain(group):
                # Of several that may be at fault, half is tried alone, the rest in a later pass.
                late = several if is_late else several[len(several) // 2 :]
                if is_late:
                    self.dropped.update(identity_of(each, before) for each in several)
                blamed.update(each.file for each in several)
                proposals = without(proposals, late)
                continue
            proposals = without(proposals, several)
            for each in several:
                name = identity_of(each, before)
                is_first = each.file not in blamed and not shares_edit(each, proposals)
                if is_first or is_late or name in self._failed:
                    self.dropped.add(name)
                self._failed.add(name)
                blamed.add(each.file)
        return proposals


def _is_certain(group: Failure) -> bool:
    """Whether none of some fixes does what it was to do."""
    return group.is_sure or len(group.proposals) == 1


def _without(finding: Finding, dropped: set[Identity], result: CheckResult) -> Finding:
    """The finding without a fix that did not stand the test."""
    if finding.fix and identity_of(Proposal(finding, finding.fix), result) in dropped:
        return replace(finding, fix=None)
    return finding


def _choose(result: CheckResult, dropped: set[Identity], *, unsafe: bool) -> list[Proposal]:
    """The fixes of one pass: in each file, in order, those that can be made with those before, and
    behind them those that may make no new finding anywhere.
    """
    proposals = [
        proposal
        for finding in result.findings
        if finding.fix is not None and finding.fix.applies(unsafe=unsafe)
        if identity_of(proposal := Proposal(finding, finding.fix), result) not in dropped
    ]
    return apart(proposals)
