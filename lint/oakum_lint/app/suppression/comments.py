"""Suppression comments: which findings they hide, and which of them hide nothing.

    x = int(y)  # noqa: OAK204                          also among other tools' codes, or bare
    x = int(y)  # oakum: ignore[OAK204] runs eagerly    codes or names, then a reason
    # oakum: ignore-file[tracer-to-scalar]              anywhere: for the whole file
    # oakum: off[OAK204] old code                       for what begins from here on,
    # oakum: on                                         to here; `on[OAK204]` ends that code alone

A comment counts for a finding when it stands on the first or last line of what is flagged, or of
the logical line (the statement, or the header of a compound statement) that holds it; a region
when what is flagged begins in it.

Invariants:
- What the tool says of a file that it could not check (`ALWAYS_ON`) is never suppressed.
- A suppression is reported as unused only when its codes are enabled and the file could be
  checked; blanket comments of other tools never are.
"""

import re
from collections.abc import Iterable, Sequence

from oakum.errors import elided
from oakum.values import codes
from oakum.values.records import replace
from oakum_lint.app import selectors
from oakum_lint.text.comments import Comment, Scan, scan
from oakum_lint.text.edits import Edit, Fix, Safety
from oakum_lint.text.finding import Finding, Location, Severity
from oakum_lint.text.lines import LINE_END
from oakum_lint.text.suppressions import ITEM, NEXT_COMMENT, NOQA, NOQA_ITEM, OURS

_WORDS = ("ignore", "ignore-file", "off", "on")
_MEANT = ("ignore", "ignore-file", "disable", "enable")
"""What a word that is like one of these was meant to be: a suppression."""
_ABOUT_SUPPRESSIONS = frozenset(
    {codes.UNUSED_SUPPRESSION.code, codes.UNKNOWN_SUPPRESSION_CODE.code}
)

CANNOT_BE_HIDDEN = selectors.ALWAYS_ON | _ABOUT_SUPPRESSIONS
"""Codes for which no comment is written: what was not checked, and what is wrong with comments."""


class Item:
    """One code, name or beginning of codes in a comment; or all codes, where none is named."""

    __slots__ = ("codes", "column", "end", "text", "used")

    def __init__(self, text: str, column: int, names: frozenset[str]) -> None:
        self.text = text
        self.column = column
        # A comment for many codes does not hide that it hides nothing: that has to be named.
        self.codes = names if names <= _ABOUT_SUPPRESSIONS else names - _ABOUT_SUPPRESSIONS
        self.used = False
        self.end: Comment | None = None
        """The `on` that ends it, of a region; None where the region lasts to the end."""


class Suppression:
    """One comment that suppresses findings: `word` is what follows `oakum:`, or `noqa`."""

    __slots__ = ("comment", "items", "word")

    def __init__(self, comment: Comment, items: list[Item], word: str) -> None:
        self.comment = comment
        self.items = items
        self.word = word

    @property
    def ours(self) -> bool:
        """Whether it is for oakum alone."""
        return self.word != "noqa"


def apply(
    text: str, file: str, findings: Iterable[Finding], enabled: frozenset[str]
) -> list[Finding]:
    """The findings that no comment of the file suppresses, and findings about the comments.

    `enabled` are the codes that the run asks for in this file. The result is not sorted.
    """
    findings = list(findings)
    lowered = text.lower()
    if "noqa" not in lowered and "oakum" not in lowered:
        return findings
    scanned = scan(text)
    problems: list[Finding] = []
    parsed = [
        suppression
        for comment in scanned.comments
        if (suppression := _parse(comment, file, problems)) is not None
    ]
    suppressions = [each for each in parsed if each.word != "on"]
    problems += _end_regions(parsed, file, text)
    if not suppressions:
        return findings + problems
    index = _Index(suppressions, scanned)
    kept = [finding for finding in findings if not index.suppresses(finding)]
    if not any(finding.code in selectors.ALWAYS_ON for finding in findings):
        problems += _unused(suppressions, file, enabled, text)
    return kept + [problem for problem in problems if not index.suppresses(problem)]


class _Index:
    """The suppressions of a file by the lines on which they stand."""

    __slots__ = ("_by_line", "_regions", "_scanned", "_whole_file")

    def __init__(self, suppressions: Sequence[Suppression], scanned: Scan) -> None:
        self._scanned = scanned
        self._whole_file = [each for each in suppressions if each.word == "ignore-file"]
        self._regions = [each for each in suppressions if each.word == "off"]
        self._by_line: dict[int, list[Suppression]] = {}
        for suppression in suppressions:
            if suppression.word in ("noqa", "ignore"):
                self._by_line.setdefault(suppression.comment.line, []).append(suppression)

    def suppresses(self, finding: Finding) -> bool:
        """Whether a comment suppresses the finding; every comment that does counts as used."""
        if finding.code in selectors.ALWAYS_ON:
            return False
        candidates = list(self._whole_file)
        for line in lines_of(finding.location, self._scanned):
            candidates += self._by_line.get(line, ())
        items = [item for suppression in candidates for item in suppression.items]
        for region in self._regions:
            items += _at(region, finding.location.line)
        used = [item for item in items if finding.code in item.codes]
        for item in used:
            item.used = True
        return bool(used)


def lines_of(location: Location, scanned: Scan) -> Sequence[int]:
    """The lines on which a comment counts for what is flagged at a place."""
    last = location.end_line
    if location.end_column == 1 and last > location.line:
        last -= 1
    first_logical, last_logical = scanned.logical_line(location.line)
    return sorted({location.line, last, first_logical, last_logical})


def _at(region: Suppression, line: int) -> list[Item]:
    """What a region has off at a line."""
    if line < region.comment.line:
        return []
    return [item for item in region.items if item.end is None or line < item.end.line]


def _end_regions(parsed: Sequence[Suppression], file: str, text: str) -> list[Finding]:
    """Has each `on` end what is off there; what is said of those that have no partner."""
    problems: list[Finding] = []
    opened: list[tuple[Suppression, Item]] = []
    for each in parsed:
        if each.word == "off":
            opened += [(each, item) for item in each.items]
        elif each.word == "on":
            named = all(item.text for item in each.items)
            ended = frozenset[str]().union(*(item.codes for item in each.items))
            closed = [pair for pair in opened if not named or pair[1].codes <= ended]
            opened = [pair for pair in opened if pair not in closed]
            for _, item in closed:
                item.end = each.comment
            if not closed:
                problems.append(_ends_nothing(each, file, text))
    problems += [_never_ends(region, file) for region in dict.fromkeys(each for each, _ in opened)]
    return problems


def _ends_nothing(on: Suppression, file: str, text: str) -> Finding:
    place = _whole(on.comment, file)
    message = "the comment ends nothing: no such code is off here"
    found = _finding(codes.UNUSED_SUPPRESSION, place, message, codes.UNUSED_SUPPRESSION.hint)
    fix = Fix("Remove the comment", (_without(text, on.comment, OURS),), Safety.SAFE)
    return replace(found, fix=fix)


def _never_ends(region: Suppression, file: str) -> Finding:
    return _finding(
        codes.UNKNOWN_SUPPRESSION_CODE,
        _whole(region.comment, file),
        "no `# oakum: on` ends what is off from here",
        "Write `# oakum: on` where findings count again, or `ignore-file` to mean the whole file.",
    )


def _whole(comment: Comment, file: str) -> Location:
    end = comment.column + len(comment.text)
    return Location(file, comment.line, comment.column, comment.line, end)


def _parse(comment: Comment, file: str, problems: list[Finding]) -> Suppression | None:
    ours = OURS.search(comment.text)
    if ours is not None:
        return _parse_ours(comment, ours, file, problems)
    noqa = NOQA.search(comment.text)
    return None if noqa is None else _parse_noqa(comment, noqa, file, problems)


def _parse_noqa(
    comment: Comment, match: "re.Match[str]", file: str, problems: list[Finding]
) -> Suppression | None:
    if match.group("list") is None:
        everything = Item("", comment.column, selectors.codes_of("OAK"))
        return Suppression(comment, [everything], "noqa")
    items: list[Item] = []
    position = match.end()
    while (found := NOQA_ITEM.match(comment.text, position)) is not None:
        position = found.end()
        word, column = found.group("item"), comment.column + found.start("item")
        names = selectors.codes_of(word)
        if names and word.upper() != "ALL":
            items.append(Item(word, column, names))
        elif word.upper().startswith("OAK"):
            problems.append(_unknown(file, comment.line, column, word))
    return Suppression(comment, items, "noqa") if items else None


def _parse_ours(
    comment: Comment, match: "re.Match[str]", file: str, problems: list[Finding]
) -> Suppression | None:
    word = match.group("word")
    if word not in _WORDS:
        import difflib

        if difflib.get_close_matches(word, _MEANT, n=1):
            problems.append(_misspelt(file, comment, match))
        return None
    if match.group("list") is None:
        everything = Item("", comment.column + match.start(), selectors.codes_of("OAK"))
        return Suppression(comment, [everything], word)
    items: list[Item] = []
    for found in ITEM.finditer(match.group("items")):
        column = comment.column + match.start("items") + found.start()
        names = selectors.codes_of(found.group())
        if names:
            items.append(Item(found.group(), column, names))
        else:
            problems.append(_unknown(file, comment.line, column, found.group()))
    return Suppression(comment, items, word) if items else None


def _unknown(file: str, line: int, column: int, word: str) -> Finding:
    return _finding(
        codes.UNKNOWN_SUPPRESSION_CODE,
        Location(file, line, column, line, column + len(word)),
        f"`{elided(word, 40)}` is not a code or a name of oakum",
        selectors.correction(word) or codes.UNKNOWN_SUPPRESSION_CODE.hint,
    )


def _misspelt(file: str, comment: Comment, match: "re.Match[str]") -> Finding:
    word = match.group("word")
    column = comment.column + match.start("word")
    return _finding(
        codes.UNKNOWN_SUPPRESSION_CODE,
        Location(file, comment.line, column, comment.line, column + len(word)),
        f"`oakum: {elided(word, 40)}` is not a suppression",
        "Write `# oakum: ignore[CODE] reason`, with `ignore-file`, or with `off` and then `on`.",
    )


def _unused(
    suppressions: Sequence[Suppression], file: str, enabled: frozenset[str], text: str
) -> list[Finding]:
    unused: list[Finding] = []
    for suppression in suppressions:
        idle = [
            item
            for item in suppression.items
            if not item.used and _could_be_used(item, suppression, enabled)
        ]
        for item in idle:
            line, width = suppression.comment.line, len(item.text)
            where = "in this file" if suppression.word == "ignore-file" else "here"
            subject = f"`{elided(item.text, 30)}`" if item.text else "the comment"
            message = f"{subject} suppresses nothing: no such finding is made {where}"
            hint = codes.UNUSED_SUPPRESSION.hint
            if suppression.comment.alone and suppression.word == "ignore":
                hint = (
                    "Put the comment at the end of the line that is flagged, or write `off` to "
                    "mean what follows, to `# oakum: on`."
                )
            if not item.text:
                width = len(suppression.comment.text) - (item.column - suppression.comment.column)
            place = Location(file, line, item.column, line, item.column + width)
            finding = _finding(codes.UNUSED_SUPPRESSION, place, message, hint)
            fix = _removal(text, suppression, item, idle, suppressions)
            unused.append(replace(finding, fix=fix))
    return unused


def _removal(
    text: str,
    suppression: Suppression,
    item: Item,
    idle: Sequence[Item],
    suppressions: Sequence[Suppression],
) -> Fix:
    """The fix that takes an item out of its comment, or the comment if it holds nothing else."""
    comment = suppression.comment
    pattern = OURS if suppression.ours else NOQA
    match = pattern.search(comment.text)
    assert match is not None
    words = _words(comment, match, ours=suppression.ours) if item.text else []
    if len(words) > len(idle):
        start = item.column - comment.column
        number = [first for first, _ in words].index(start)
        start, end = words[number]
        if number:
            start = words[number - 1][1]
        else:
            end = words[1][0]
        edit = Edit(comment.start + start, comment.start + end, "")
        return Fix(f"Remove `{item.text}` from the comment", (edit,), Safety.SAFE)
    ends = {each.end for each in suppression.items} - {
        each.end for other in suppressions if other is not suppression for each in other.items
    }
    edits = [_without(text, end, OURS) for end in ends if end is not None]
    edits.append(_without(text, comment, pattern))
    edits.sort(key=lambda edit: edit.start)
    return Fix("Remove the comment", tuple(edits), Safety.SAFE)


def _without(text: str, comment: Comment, pattern: "re.Pattern[str]") -> Edit:
    """The edit that takes a suppression out of its comment, and a line that holds nothing else."""
    match = pattern.search(comment.text)
    assert match is not None
    start, end = comment.start + match.start(), comment.start + len(comment.text)
    further = NEXT_COMMENT.search(comment.text, match.end())
    if further is not None:  # of another tool, behind ours
        end = comment.start + further.start()
    else:
        start = len(text[:start].rstrip(" \t\f"))
        line_end = LINE_END.match(text, end)
        if line_end is not None and (not start or text[start - 1] in "\r\n"):
            end = line_end.end()
    return Edit(start, end, "")


def _words(comment: Comment, match: "re.Match[str]", *, ours: bool) -> list[tuple[int, int]]:
    """Where the codes and names of a comment stand in it, those of other tools too."""
    if ours:
        return [word.span() for word in ITEM.finditer(comment.text, *match.span("items"))]
    words: list[tuple[int, int]] = []
    position = match.end()
    while (found := NOQA_ITEM.match(comment.text, position)) is not None:
        position = found.end()
        words.append(found.span("item"))
    return words


def _could_be_used(item: Item, suppression: Suppression, enabled: frozenset[str]) -> bool:
    """Whether this run would have made the finding that the item is for."""
    if not item.text and not suppression.ours:
        return False  # a bare comment is about other tools as well
    return item.codes <= enabled | selectors.ALWAYS_ON and not item.codes <= _ABOUT_SUPPRESSIONS


def _finding(code: codes.Code, place: Location, message: str, hint: str) -> Finding:
    return Finding(place, code.code, code.name, message, hint, Severity.WARNING, ())
