"""Findings without a rule: a file cannot be read or parsed, or oakum itself fails on it.

A failure of oakum is reported in one line, with all that a report of it needs: what it is, where,
and in which version. There is no traceback, and the exception's text is left out, for it may quote
the program.
"""

from pathlib import PurePath

from oakum_lint.text.finding import Finding, Location, Severity

CERTAIN_ERROR = "raises"
"""What stands for a code at places that certainly raise and that no rule reports: nobody is shown
them, and the trials of fixes look for new ones."""


def tool_finding(location: Location, code: str, message: str, hint: str = "") -> Finding:
    """A finding of a code without a rule; its hint is that of the code unless another fits."""
    from oakum.values import codes

    entry = codes.find(code)
    name, usual = (entry.name, entry.hint) if entry else ("", "")
    return Finding(location, code, name, message, hint or usual, Severity.ERROR, ())


def start_of(file: str) -> Location:
    """The place of a finding about a whole file."""
    return Location(file, 1, 1, 1, 1)


def in_words(what: str, error: BaseException) -> str:
    """The message of an `internal-error`.

    >>> in_words("`f`", KeyError("x")).partition(":")[0]
    'oakum failed on `f`'
    """
    from oakum.version import __version__

    return f"oakum failed on {what}: {type(error).__name__}{_place(error)} (oakum {__version__})"


def _place(error: BaseException) -> str:
    """Where the exception was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f" at {PurePath(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
