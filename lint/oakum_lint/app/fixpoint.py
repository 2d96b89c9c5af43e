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

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from oakum.values.records import dataclass, field, replace
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings
from oakum_lint.text.edits import Edit, Fix, apply_edits, exclude_each_other, is_import
from oakum_lint.text.finding import Finding, Severity
from oakum_lint.text.source import LineTable

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


@dataclass(frozen=True, slots=True)
class _Proposal:
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
        goes_on = finding.severity is Severity.WARNING
        return goes_on or self.fix.everywhere


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
    proposals = [_Proposal(finding, finding.fix) for finding in chosen if finding.fix is not None]
    done = _Passes(check).take(_apart(proposals), result, {})
    return {} if done is None else done.texts


def confirm(result: CheckResult, check: Check) -> None:
    """Takes from the findings of a result the fixes that a new analysis does not confirm. Each is
    tried on the texts as they are, together with those that do not touch it.
    """
    passes, confirmed = _Passes(check), set[tuple[str, ...]]()
    while proposals := _choose(result, passes.dropped | confirmed, unsafe=True):
        done = passes.take(proposals, result, {})
        if done is not None:
            confirmed.update(_identity(proposal, result) for proposal in done.proposals)
    result.findings = [_without(finding, passes.dropped, result) for finding in result.findings]


@dataclass(frozen=True, slots=True)
class _Pass:
    """Fixes that were made together, and confirmed."""

    proposals: Sequence[_Proposal]
    texts: dict[str, str]
    after: CheckResult


class _Passes:
    """The passes over the texts of one run, and what did not stand the test in them. With `parts`
    they end to try fixes one by one once too much was analysed.
    """

    __slots__ = ("_check", "_most", "_parts", "dropped")

    def __init__(self, check: Check, parts: PassParts | None = None) -> None:
        self.dropped: set[tuple[str, ...]] = set()
        self._check = check
        self._parts = parts
        self._most = 0 if parts is None else _CHECKS * parts.analysed + _FILES

    def take(
        self, proposals: list[_Proposal], before: CheckResult, texts: Mapping[str, str]
    ) -> _Pass | None:
        """Makes those of some fixes that stand the test together; `texts` are those of the files
        that earlier passes have changed.
        """
        while proposals:
            new = _apply(proposals, before.texts)
            after = self._check({**texts, **new})
            failed = _failed(proposals, before, after)
            if not failed and _has_more(proposals, before, after):
                failed = [_makers(proposals, before, after)]
            strict = {each.file for group in failed for each in group if each.is_strict}
            if strict and _local(proposals):
                # What the others have brought to light may be all that is against it. Elsewhere
                # nothing is: those texts stay, and what was found in them is known.
                there = [each for each in proposals if each.is_strict and each.file in strict]
                proposals = _others(proposals, there)
                continue
            if not failed:
                return _Pass(proposals, new, after)
            # Of several that may be at fault, half is tried again alone, the rest in a later pass.
            blamed: set[str] = set()
            is_late = self._parts is not None and self._parts.analysed > self._most
            for group in failed:
                if len(group) == 1 and group[0].file in blamed and not is_late:
                    continue
                blamed.add(group[0].file)
                late = group if is_late else group[len(group) // 2 :]
                if late == group:
                    self.dropped.update(_identity(each, before) for each in group)
                proposals = _others(proposals, late)
        return None


def _local(proposals: Sequence[_Proposal]) -> list[_Proposal]:
    """The fixes that may bring something to light."""
    return [proposal for proposal in proposals if not proposal.is_strict]


def _others(proposals: Sequence[_Proposal], late: Sequence[_Proposal]) -> list[_Proposal]:
    return [proposal for proposal in proposals if proposal not in late]


def _without(finding: Finding, dropped: set[tuple[str, ...]], result: CheckResult) -> Finding:
    """The finding without a fix that did not stand the test."""
    if finding.fix and _identity(_Proposal(finding, finding.fix), result) in dropped:
        return replace(finding, fix=None)
    return finding


def _choose(result: CheckResult, dropped: set[tuple[str, ...]], *, unsafe: bool) -> list[_Proposal]:
    """The fixes of one pass: in each file, in order, those that can be made with those before, and
    behind them those that may make no new finding anywhere.
    """
    proposals = [
        proposal
        for finding in result.findings
        if finding.fix is not None and finding.fix.applies(unsafe=unsafe)
        if _identity(proposal := _Proposal(finding, finding.fix), result) not in dropped
    ]
    return _apart(proposals)


def _apart(proposals: Sequence[_Proposal]) -> list[_Proposal]:
    """Those of some fixes, by file, that can be made with those before them."""
    chosen: list[_Proposal] = []
    taken: dict[str, list[Fix]] = {}
    for proposal in sorted(proposals, key=lambda each: each.is_strict):
        before = taken.setdefault(proposal.file, [])
        if not any(exclude_each_other(proposal.fix, other) for other in before):
            before.append(proposal.fix)
            chosen.append(proposal)
    return chosen


def _identity(proposal: _Proposal, result: CheckResult) -> tuple[str, ...]:
    """Returns the key that a fix keeps when the lines above it move."""
    place = proposal.finding.location
    text = result.texts[place.file]
    lines = text.splitlines()
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    written = [edit.text for edit in proposal.fix.edits]
    return (place.file, proposal.finding.code, str(place.column), line, *written)


def _apply(chosen: Sequence[_Proposal], texts: Mapping[str, str]) -> dict[str, str]:
    edits: dict[str, set[Edit]] = {}
    for proposal in chosen:
        edits.setdefault(proposal.file, set()).update(proposal.fix.edits)
    return {file: apply_edits(texts[file], sorted(new)) for file, new in edits.items()}


# --- what a pass has done --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Zone:
    """The range of a file that one fix has written or was to fix, before and after."""

    proposal: _Proposal
    old: tuple[int, int]
    new: tuple[int, int]


def _failed(
    chosen: Sequence[_Proposal], before: CheckResult, after: CheckResult
) -> list[list[_Proposal]]:
    """Groups of fixes, in each of which one did not do what it was to do; none if all did. Only the
    first of a file is sure of that: a fix is not blamed for what one before it may have done.
    """
    texts = _apply(chosen, before.texts)
    by_file: dict[str, list[_Proposal]] = {}
    for proposal in chosen:
        by_file.setdefault(proposal.file, []).append(proposal)
    broken = _broken(after) - _broken(before)
    broken.update(f for f in texts if compiles(before.texts[f]) and not compiles(texts[f]))
    if broken:
        return [here for file, here in by_file.items() if file in broken]
    if after.failures > before.failures:
        return [list(chosen)]
    return [
        group
        for file, here in by_file.items()
        for group in _failed_in(file, here, before, after, texts[file])
    ]


def _failed_in(
    file: str,
    chosen: Sequence[_Proposal],
    before: CheckResult,
    after: CheckResult,
    text: str,
) -> list[list[_Proposal]]:
    """The fixes of a file, in order, that lie in each other, and where is what was not there."""
    failed: list[list[_Proposal]] = []
    old = _Findings(before, file)
    new = _Findings(after, file, text)
    for group in _groups(_zones(chosen, before.texts[file])):
        place = _hull([zone.old for zone in group])
        allowed = old.within(place)
        allowed -= Counter(zone.proposal.finding.code for zone in group)
        hull = _hull([zone.new for zone in group])
        if new.within(hull) - allowed or new.leaks_at(hull) > old.leaks_at(place):
            failed.append([zone.proposal for zone in group])
    return failed


def _has_more(chosen: Sequence[_Proposal], before: CheckResult, after: CheckResult) -> bool:
    """Whether there is more to find than what the fixes have left. Where the program ran before,
    nothing was hidden behind a finding: then one of them has made it. Where both kinds of fixes are
    tried at once, none may be there in place of one that was fixed: it has come to light.
    """
    local = _local(chosen)
    if len(local) == len(chosen):
        return False
    fixed = Counter(each.finding.code for each in chosen if local)
    left = before.statistics - fixed
    return any(count > left[code] for code, count in after.statistics.items())


def _makers(
    chosen: Sequence[_Proposal], before: CheckResult, after: CheckResult
) -> list[_Proposal]:
    """The fixes that may have made findings which are more than before: those in the files of the
    findings, and those that change more than their place.
    """
    codes = {code for code, count in after.statistics.items() if count > before.statistics[code]}
    old, new = _by_file(before, codes), _by_file(after, codes)
    files = {file for (file, code), count in new.items() if count > old[file, code]}
    makers = [each for each in chosen if each.file in files or each.fix.everywhere]
    return makers or list(chosen)


def _by_file(result: CheckResult, codes: Collection[str]) -> Counter[tuple[str, str]]:
    """How many findings of some codes each file has."""
    found = [(f.location.file, f.code) for f in result.findings if f.code in codes]
    return Counter(found)


def compiles(text: str) -> bool:
    """Whether the running Python takes a text, which is more than that it parses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<fixed>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _broken(result: CheckResult) -> set[str]:
    """The files that could not be read or parsed."""
    return {f.location.file for f in result.findings if f.code in ("OAK001", "OAK002", "OAK003")}


class _Findings:
    """The findings of one file by their offsets."""

    __slots__ = ("_ranges",)

    def __init__(self, result: CheckResult, file: str, text: str | None = None) -> None:
        lines = LineTable(result.texts.get(file, "") if text is None else text)
        self._ranges = [
            (
                lines.offset(f.location.line, f.location.column),
                lines.offset(f.location.end_line, f.location.end_column),
                f.code,
            )
            for f in result.findings
            if f.location.file == file
        ]

    def within(self, zone: tuple[int, int]) -> Counter[str]:
        return Counter(
            code for start, end, code in self._ranges if zone[0] <= start and end <= zone[1]
        )

    def leaks_at(self, zone: tuple[int, int]) -> int:
        """How many values escape their trace in statements around a zone."""
        return sum(
            code.startswith("OAK1") and start <= zone[0] and zone[1] <= end
            for start, end, code in self._ranges
        )


def _zones(proposals: Sequence[_Proposal], text: str) -> list[_Zone]:
    """The zone of each fix, in order. An import that it adds elsewhere does not count."""
    edits = sorted({edit for proposal in proposals for edit in proposal.fix.edits})
    lines = LineTable(text)
    zones: list[_Zone] = []
    for proposal in proposals:
        place = proposal.finding.location
        start = lines.offset(place.line, place.column)
        end = lines.offset(place.end_line, place.end_column)
        for edit in proposal.fix.edits:
            if not is_import(edit):
                start, end = min(start, edit.start), max(end, edit.end)
        moved = sum(_growth(edit) for edit in edits if edit.start < start)
        grown = sum(_growth(edit) for edit in edits if start <= edit.start <= end)
        zones.append(_Zone(proposal, (start, end), (start + moved, end + moved + grown)))
    return sorted(zones, key=lambda zone: zone.old)


def _hull(ranges: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(start for start, _ in ranges), max(end for _, end in ranges)


def _growth(edit: Edit) -> int:
    return len(edit.text) - (edit.end - edit.start)


def _groups(zones: Sequence[_Zone]) -> list[list[_Zone]]:
    """Zones that lie in each other, together."""
    groups: list[list[_Zone]] = []
    reached = -1
    for zone in zones:
        if groups and zone.old[0] < reached:
            groups[-1].append(zone)
        else:
            groups.append([zone])
        reached = max(reached, zone.old[1])
    return groups
