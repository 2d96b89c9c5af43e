"""What several reports share: text made safe for one line, and the closing line of a run."""

import re

from oakum_lint.runner import CheckResult

# Control characters break lines and move the cursor; the bidirectional ones reorder what is shown.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    r"""The text with control and bidirectional characters written as escapes.

    >>> one_line("a\nb\u202e")
    'a\\nb\\u202e'
    """
    return _UNSAFE.sub(lambda match: repr(match.group())[1:-1], text)


def summary(result: CheckResult) -> str:
    """The line that closes a report for people.

    >>> result = CheckResult()
    >>> result.checked = 3
    >>> summary(result)
    'All clean: 3 files checked.'
    """
    checked = _count(result.checked, "file")
    if not result.findings:
        return f"All clean: {checked} checked."
    files = len({finding.location.file for finding in result.findings})
    found = _count(len(result.findings), "finding")
    likely = f", {result.likely} of them likely," if result.likely else ""
    return f"Found {found}{likely} in {_count(files, 'file')} ({checked} checked)."


def statistics(result: CheckResult) -> str:
    """A table of how often each code was found, the most frequent first."""
    from oakum import codes

    rows = sorted(result.statistics.items(), key=lambda row: (-row[1], row[0]))
    width = len(str(rows[0][1])) if rows else 0
    lines: list[str] = []
    for code, count in rows:
        entry = codes.find(code)
        lines.append(f"{count:>{width}}  {code}  {entry.name if entry else ''}")
    return "".join(f"{line}\n" for line in lines)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
