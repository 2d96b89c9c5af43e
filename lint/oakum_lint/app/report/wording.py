"""What several reports share: marks of findings, and the closing line of a run."""

from oakum_lint.app.check_result import CheckResult
from oakum_lint.text.notebook.names import file_and_cell

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from collections.abc import Sequence

    from oakum_lint.app.report.causes import Cause
    from oakum_lint.text.finding import Finding


def summary(result: CheckResult) -> str:
    """The line that closes a report for people.

    >>> result = CheckResult()
    >>> result.checked = 3
    >>> summary(result)
    'All clean: 3 files checked.'
    """
    checked = _count(result.checked, "file")
    fixed = "" if not result.fixed else f"Fixed {_count(result.fixed, 'finding')}. "
    notes = f"\n{not_all_analysed(result)}" if result.incomplete else ""
    notes += f"\n{_hidden(result)}" if result.hidden else ""
    notes += f"\n{WITHOUT_PROJECT}" if result.lacks_project else ""
    notes += f"\n{baseline(result)}" if result.known or result.stale else ""
    if not result.findings:
        outcome = "No findings" if result.incomplete else "All clean"
        if result.known:
            outcome = "No new findings"
        return f"{fixed}{outcome}: {checked} checked.{notes}"
    files = len({file_and_cell(finding.location.file)[0] for finding in result.findings})
    found = _count(len(result.findings), "finding")
    likely = f", {result.likely} of them likely," if result.likely else ""
    where = f"in {_count(files, 'file')} ({checked} checked)"
    elsewhere = f"\n{_elsewhere(result)}" if result.elsewhere else ""
    return f"{fixed}Found {found}{likely} {where}.{elsewhere}{_fixable(result)}{notes}"


WITHOUT_PROJECT = (
    "No project root was found, so other files were not seen: name it with `--project`."
)
"""What a report says where the callers of the checked files are not known."""


def _hidden(result: CheckResult) -> str:
    """How many findings are information, which nobody has asked for."""
    more = "1 more is" if result.hidden == 1 else f"{result.hidden} more are"
    return f"{more} information, of what may be meant: `--min-severity information` shows it."


def _elsewhere(result: CheckResult) -> str:
    """How many findings lie in files that were not named."""
    lie = "lies" if result.elsewhere == 1 else "lie"
    return f"{result.elsewhere} of them {lie} in files that were not named."


def folded(causes: "Sequence[Cause]") -> str:
    """The line about the findings that stand under another of the same cause; "" without any."""
    count = sum(len(cause.more) for cause in causes)
    return (
        f"{count} of them have a cause that is shown above: `--all-places` shows each.\n"
        if count
        else ""
    )


def and_more(cause: "Cause") -> str:
    """Returns the end of a headline that stands for many places."""
    return f" (and {_count(len(cause.more), 'more place')})" if cause.more else ""


def more_places(cause: "Cause") -> list[str]:
    """The note that lists the other places of a cause, each file with its lines."""
    lines: dict[str, dict[int, None]] = {}
    for finding in cause.more:
        lines.setdefault(finding.location.file, {})[finding.location.line] = None
    own = cause.first.location.file
    texts: list[str] = []
    for file, found in lines.items():
        numbers = ", ".join(map(str, found))
        noun = "line" if len(found) == 1 else "lines"
        texts.append(f"{noun} {numbers}" if file == own else f"{file}, {noun} {numbers}")
    return (
        [f"the same mistake stands at {_count(len(cause.more), 'more place')}: {'; '.join(texts)}"]
        if texts
        else []
    )


def not_all_analysed(result: CheckResult) -> str:
    """Returns the sentence about a run that a limit has cut short."""
    # It is ignored, or lies in a file that is not named and does not cause it.
    seen = "says so" if result.statistics["OAK003"] else "is not shown"
    return f"Not all was analysed: OAK003 {seen} in {_count(result.incomplete, 'place')}."


def baseline(result: CheckResult) -> str:
    """Says how many findings the baseline hides, and how many it holds in vain."""
    known = f"{_count(result.known, 'finding')} of the baseline not shown." if result.known else ""
    entries = "entry" if result.stale == 1 else "entries"
    are = "is" if result.stale == 1 else "are"
    stale = (
        f"{result.stale} {entries} of the baseline {are} found no more: `--write-baseline` "
        "removes what is gone."
        if result.stale
        else ""
    )
    return " ".join(filter(None, (known, stale)))


def mark(finding: "Finding", result: CheckResult) -> str:
    """Returns the mark before the message of a finding that the run's options can fix."""
    fix = finding.fix
    return "[*] " if fix is not None and fix.applies(unsafe=result.unsafe_fixes) else ""


def weak_links(finding: "Finding", result: CheckResult) -> list[str]:
    """What a likely finding lacks to be proved, if the run was asked for it."""
    if not result.explains_confidence:
        return []
    found: dict[str, None] = {}
    for link in finding.weak:
        place = link.location
        here = (place.file, place.line) == (finding.location.file, finding.location.line)
        at = "" if here else f" ({place.file}:{place.line})"
        found[f"likely, not proved: {link.message}{at}"] = None
    return [*found]


def _fixable(result: CheckResult) -> str:
    """Says what `--fix` could do, in a line of its own."""
    # "At most": some of them may not stand the test when they are made.
    fixes = [finding.fix for finding in result.findings if finding.fix is not None]
    count = sum(fix.applies(unsafe=result.unsafe_fixes) for fix in fixes)
    hidden = len(fixes) - count
    options = "--fix --unsafe-fixes" if result.unsafe_fixes else "--fix"
    more = f"at most {hidden} more with `--unsafe-fixes`" if hidden else ""
    if count:
        return f"\n[*] at most {count} fixable with `{options}`{f' ({more})' if more else ''}."
    return f"\nNone fixable with `--fix` ({more})." if more else ""


def statistics(result: CheckResult) -> str:
    """A table of how often each code was found, the most frequent first."""
    from oakum_lint.rules import catalogue

    rows = sorted(result.statistics.items(), key=lambda row: (-row[1], row[0]))
    width = len(str(rows[0][1])) if rows else 0
    lines: list[str] = []
    for code, count in rows:
        lines.append(f"{count:>{width}}  {code}  {catalogue.names().get(code, '')}")
    return "".join(f"{line}\n" for line in lines)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
