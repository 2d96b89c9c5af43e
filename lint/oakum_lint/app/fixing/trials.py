"""What the trial of some fixes, an analysis of the texts that they make, shows of each of them."""

import warnings
from collections import Counter
from collections.abc import Collection, Sequence

from oakum.values.records import dataclass
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.fixing.proposals import Proposal, growth, local, moved, texts_with
from oakum_lint.text.edits import is_import
from oakum_lint.text.source import LineTable


@dataclass(frozen=True, slots=True)
class Failure:
    """Fixes of which one did not do what it was to do; `is_sure` if none did."""

    proposals: Sequence[Proposal]
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class _Zone:
    """The range of a file that one fix has written or was to fix, before and after."""

    proposal: Proposal
    old: tuple[int, int]
    new: tuple[int, int]
    place: int
    """Where its finding begins after, if that is still there."""


def failures(chosen: Sequence[Proposal], before: CheckResult, after: CheckResult) -> list[Failure]:
    """The fixes that did not do what they were to do. Only the first of a file is sure of that: a
    fix is not blamed for what one before it may have done.
    """
    texts = texts_with(chosen, before.texts)
    by_file: dict[str, list[Proposal]] = {}
    for proposal in chosen:
        by_file.setdefault(proposal.file, []).append(proposal)
    broken = _broken(after) - _broken(before)
    broken.update(f for f in texts if compiles(before.texts[f]) and not compiles(texts[f]))
    if broken:
        return [Failure(here) for file, here in by_file.items() if file in broken]
    if after.failures > before.failures:
        return [Failure(list(chosen))]
    return [
        failure
        for file, here in by_file.items()
        for failure in _failed_in(file, here, before, after, texts[file])
    ]


def _failed_in(
    file: str,
    chosen: Sequence[Proposal],
    before: CheckResult,
    after: CheckResult,
    text: str,
) -> list[Failure]:
    """The fixes of a file, in order, whose finding is still there, and those that lie in each other
    where is what was not there.
    """
    failed: list[Failure] = []
    old = _Findings(before, file)
    new = _Findings(after, file, text)
    for group in _groups(_zones(chosen, before.texts[file])):
        place = _hull([zone.old for zone in group])
        allowed = old.within(place)
        allowed -= Counter(zone.proposal.finding.code for zone in group)
        hull = _hull([zone.new for zone in group])
        own = [z.proposal for z in group if new.begins_at(z.place, z.proposal.finding.code)]
        if own:
            failed.append(Failure(own, is_sure=True))
        elif new.within(hull) - allowed or new.leaks_at(hull) > old.leaks_at(place):
            failed.append(Failure([zone.proposal for zone in group]))
    return failed


def has_more(chosen: Sequence[Proposal], before: CheckResult, after: CheckResult) -> bool:
    """Whether there is more to find than what the fixes have left. Where the program ran before,
    nothing was hidden behind a finding: then one of them has made it. Where both kinds of fixes are
    tried at once, none may be there in place of one that was fixed: it has come to light.
    """
    hiding = local(chosen)
    if len(hiding) == len(chosen):
        return False
    fixed = Counter(each.finding.code for each in chosen if hiding)
    left = before.statistics - fixed
    return any(count > left[code] for code, count in after.statistics.items())


def makers(chosen: Sequence[Proposal], before: CheckResult, after: CheckResult) -> list[Proposal]:
    """The fixes that may have made findings which are more than before: those in the files of the
    findings, and those that change more than their place.
    """
    codes = {code for code, count in after.statistics.items() if count > before.statistics[code]}
    old, new = _by_file(before, codes), _by_file(after, codes)
    files = {file for (file, code), count in new.items() if count > old[file, code]}
    found = [each for each in chosen if each.file in files or each.fix.everywhere]
    return found or list(chosen)


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

    def begins_at(self, place: int, code: str) -> bool:
        """Whether a finding of a code begins at a place."""
        return any((start, each) == (place, code) for start, _, each in self._ranges)

    def leaks_at(self, zone: tuple[int, int]) -> int:
        """How many values escape their trace in statements around a zone."""
        return sum(
            code.startswith("OAK1") and start <= zone[0] and zone[1] <= end
            for start, end, code in self._ranges
        )


def _zones(proposals: Sequence[Proposal], text: str) -> list[_Zone]:
    """The zone of each fix, in order. An import that it adds elsewhere does not count."""
    edits = sorted({edit for proposal in proposals for edit in proposal.fix.edits})
    lines = LineTable(text)
    zones: list[_Zone] = []
    for proposal in proposals:
        place = proposal.finding.location
        start = lines.offset(place.line, place.column)
        end = lines.offset(place.end_line, place.end_column)
        own = moved(start, edits)
        for edit in proposal.fix.edits:
            if not is_import(edit):
                start, end = min(start, edit.start), max(end, edit.end)
        shift = sum(growth(edit) for edit in edits if edit.start < start)
        grown = sum(growth(edit) for edit in edits if start <= edit.start <= end)
        zones.append(_Zone(proposal, (start, end), (start + shift, end + shift + grown), own))
    return sorted(zones, key=lambda zone: zone.old)


def _hull(ranges: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(start for start, _ in ranges), max(end for _, end in ranges)


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
