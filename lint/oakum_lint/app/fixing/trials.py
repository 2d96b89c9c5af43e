"""What the trial of some fixes, an analysis of the texts that they make, shows of each of them."""

import ast
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from oakum.values.records import dataclass
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.fixing.proposals import Proposal, growth, moved, texts_with
from oakum_lint.text.edits import Edit, is_import
from oakum_lint.text.failures import CERTAIN_ERROR
from oakum_lint.text.source import LineTable

_Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Failure:
    """Fixes of which one did not do what it was to do; `is_sure` if none did."""

    proposals: Sequence[Proposal]
    is_sure: bool = False
    is_local: bool = True
    """Whether what stands against them lies where they are, so that the rest stands the test."""


@dataclass(frozen=True, slots=True)
class _Zone:
    """The range of a file that one fix has written or was to fix, before and after."""

    proposal: Proposal
    old: _Range
    new: _Range
    place: int
    """Where its finding begins after, if that is still there."""


def failures(chosen: Sequence[Proposal], before: CheckResult, after: CheckResult) -> list[Failure]:
    """The fixes that did not do what they were to do, and those that may have made findings where
    nothing was to fix.
    """
    texts = texts_with(chosen, before.texts)
    by_file: dict[str, list[Proposal]] = {}
    for proposal in chosen:
        by_file.setdefault(proposal.file, []).append(proposal)
    broken = _broken(after) - _broken(before)
    broken.update(f for f in texts if compiles(before.texts[f]) and not compiles(texts[f]))
    if broken:
        return [Failure(here, is_local=False) for f, here in by_file.items() if f in broken]
    if after.failures > before.failures:
        return [Failure(list(chosen), is_local=False)]
    files = [_File(f, here, before, after, texts[f]) for f, here in by_file.items()]
    failed = [failure for file in files for failure in file.failures]
    makers = _makers(chosen, files, before, after)
    return failed if makers is None else [*failed, makers]


def _makers(
    chosen: Sequence[Proposal], files: Sequence["_File"], before: CheckResult, after: CheckResult
) -> Failure | None:
    """The fixes that may have made findings which are more than before: those in the functions of
    the findings, else those in their files, and those that change more than their place. Where the
    program ran before, nothing was hidden behind a finding: then one of them has made it. Any of
    them may have made what certainly raises.
    """
    failed = [each for file in files for group in file.failures for each in group.proposals]
    edited = {file.name for file in files}
    left, now = (
        Counter(
            each.code
            for each in (*result.findings, *result.errors)
            if each.location.file not in edited
        )
        for result in (before, after)
    )
    for file in files:
        left.update(file.left())
        now.update(code for _, code in file.now())
    codes = {code for code, count in now.items() if count > left[code]}
    is_error = CERTAIN_ERROR in codes
    strict = [each for each in chosen if (is_error or each.is_strict) and each not in failed]
    if not strict or not codes:
        return None
    here = [each for file in files for each in file.near(codes) if each in strict]
    if here:
        return Failure(here)
    there = {file.name for file in files if any(file.come(codes))}
    around = [each for each in strict if each.file in there or each.fix.everywhere]
    return Failure(around or strict, is_local=False)


class _File:
    """The fixes of one file, with what is found in it before and after."""

    __slots__ = ("_edits", "_new", "_old", "_text", "_zones", "failures", "name")

    def __init__(
        self,
        name: str,
        chosen: Sequence[Proposal],
        before: CheckResult,
        after: CheckResult,
        text: str,
    ) -> None:
        self.name = name
        self._text = text
        self._edits = sorted({edit for proposal in chosen for edit in proposal.fix.edits})
        self._zones = _zones(chosen, self._edits, before.texts[name])
        self._old = _Findings(before, name)
        self._new = _Findings(after, name, text)
        self.failures = [*self._failed()]
        """The fixes whose finding is still there, and those that lie in each other where is what
        was not there.
        """

    def _failed(self) -> Iterator[Failure]:
        for group in _groups(self._zones):
            place, hull = (
                _hull(each) for each in zip(*((z.old, z.new) for z in group), strict=True)
            )
            allowed = self._old.within(place)
            allowed -= Counter(zone.proposal.finding.code for zone in group)
            own = [
                zone.proposal
                for zone in group
                if self._new.has((zone.place, zone.new[1]), zone.proposal.finding.code)
            ]
            if own:
                yield Failure(own, is_sure=True)
            elif (
                self._new.within(hull) - allowed
                or self._new.leaks_at(hull) > self._old.leaks_at(place)
                or self._new.unfixed_over(hull) - self._old.over(place)
            ):
                yield Failure([zone.proposal for zone in group])

    def _failing(self) -> list[_Zone]:
        failed = [each for group in self.failures for each in group.proposals]
        return [zone for zone in self._zones if zone.proposal in failed]

    def left(self) -> Iterator[str]:
        """The codes of what was found before, but where fixes have failed."""
        zones = [zone.old for zone in self._failing()]
        for start, code in self._old.places():
            if not _is_in(start, zones):
                yield code

    def now(self) -> Iterator[tuple[int, str]]:
        """What is found after, but where fixes have failed: where it begins, and its code."""
        zones = [zone.new for zone in self._failing()]
        for start, code in self._new.places():
            if not _is_in(start, zones):
                yield start, code

    def come(self, codes: Collection[str]) -> Iterator[int]:
        """Where findings of some codes begin that were not there before."""
        there = Counter((moved(start, self._edits), code) for start, code in self._old.places())
        for start, code in self.now():
            if code in codes:
                if not there[start, code]:
                    yield start
                there[start, code] -= 1

    def near(self, codes: Collection[str]) -> list[Proposal]:
        """The fixes in the functions in which such findings have come."""
        places = [*self.come(codes)]
        around = [each for each in _functions(self._text) if any(_is_in(p, [each]) for p in places)]
        return [
            zone.proposal
            for zone in self._zones
            if any(first < zone.new[1] and zone.new[0] < last for first, last in around)
        ]


def _is_in(place: int, ranges: Sequence[_Range]) -> bool:
    return any(start <= place < end for start, end in ranges)


def _functions(text: str) -> Iterator[_Range]:
    """Where the functions of a text and the methods of its classes stand, but for those in other
    functions; none where it is no Python.
    """
    if not compiles(text):
        return
    lines = LineTable(text)
    pending: list[ast.AST] = [ast.parse(text)]
    while pending:
        for node in ast.iter_child_nodes(pending.pop()):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min(each.lineno for each in (node, *node.decorator_list))
                yield lines.offset(first, 1), lines.offset((node.end_lineno or first) + 1, 1)
            elif isinstance(node, ast.stmt):
                pending.append(node)


class _Findings:
    """The findings of one file by their offsets."""

    __slots__ = ("_fixed", "_ranges")

    def __init__(self, result: CheckResult, file: str, text: str | None = None) -> None:
        lines = LineTable(result.texts.get(file, "") if text is None else text)
        here = [each for each in (*result.findings, *result.errors) if each.location.file == file]
        self._fixed = [each.fix is not None for each in here]
        self._ranges = [
            (
                lines.offset(f.location.line, f.location.column),
                lines.offset(f.location.end_line, f.location.end_column),
                f.code,
            )
            for f in here
        ]

    def places(self) -> list[tuple[int, str]]:
        """Where each begins, and its code."""
        return [(start, code) for start, _, code in self._ranges]

    def within(self, zone: _Range) -> Counter[str]:
        """The codes of those in a zone."""
        return Counter(
            code for start, end, code in self._ranges if zone[0] <= start and end <= zone[1]
        )

    def has(self, zone: _Range, code: str) -> bool:
        """Whether a finding of a code begins where a zone does and lies in it. What reaches further
        is another one: `a and b or c` begins where `a and b` does.
        """
        return any(
            start == zone[0] and end <= zone[1] and each == code
            for start, end, each in self._ranges
        )

    def over(self, zone: _Range) -> Counter[str]:
        """The codes of those that reach into a zone from around it."""
        return Counter(code for code, _ in self._over(zone))

    def unfixed_over(self, zone: _Range) -> Counter[str]:
        """The codes of those of them that no fix is known for: one has become another then."""
        return Counter(code for code, is_fixed in self._over(zone) if not is_fixed)

    def _over(self, zone: _Range) -> Iterator[tuple[str, bool]]:
        first, last = zone
        for (start, end, code), is_fixed in zip(self._ranges, self._fixed, strict=True):
            is_within = first <= start and end <= last
            if start < last and first < end and not is_within:
                yield code, is_fixed

    def leaks_at(self, zone: _Range) -> int:
        """How many values escape their trace in statements around a zone."""
        return sum(
            code.startswith("OAK1") and start <= zone[0] and zone[1] <= end
            for start, end, code in self._ranges
        )


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


def _zones(proposals: Sequence[Proposal], edits: Sequence[Edit], text: str) -> list[_Zone]:
    """The zone of each fix, in order. An import that it adds elsewhere does not count."""
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


def _hull(ranges: Sequence[_Range]) -> _Range:
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
