"""Where reports go: a file, or a stream that survives its reader and its encoding."""

import os
import sys
from collections.abc import Sequence

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import OutputError
from oakum_lint.app.report.wording import summary
from oakum_lint.text.notebook.names import is_joined

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from typing import TextIO


MACHINE_FORMATS = ("html", "github", "gitlab", "junit", "sarif", "json", "json-lines")
EDIT_FORMATS = ("json", "json-lines", "sarif")
"""Those that have the edits of fixes, for programs that make them."""


def check_output(output: str, paths: Sequence[str]) -> None:
    """Refuses to write a report over code."""
    is_code = is_joined(output) or output.endswith((".py", ".pyi", ".pyw"))
    if is_code or any(_is_same(output, path) for path in paths):
        raise ConfigurationError(f"--output-file {output}: the report would take the place of code")


def _is_same(first: str, second: str) -> bool:
    try:
        return os.path.samefile(first, second)
    except (OSError, ValueError):
        return False


def write_report(
    result: CheckResult,
    output_format: str,
    file: str | None,
    stream: "TextIO | None",
    colour: str = "auto",
) -> None:
    """Writes the report of a run to a file, or to a stream where none is named. `colour` is one of
    `settings.COLOURS`: a report for people has colours on a terminal only, or always, or never.
    """
    if file is None:
        emit(_render(result, output_format, colour=_wants_colour(colour, stream)), stream)
        return
    text = _render(result, output_format, colour=False)
    try:
        with open(file, "w", encoding="utf-8", errors="backslashreplace") as out:
            out.write(text)
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}") from None


def _render(result: CheckResult, output_format: str, colour: bool) -> str:
    if not result.findings and output_format not in MACHINE_FORMATS:
        # The common case, without the report modules and what they import.
        return summary(result) + "\n" if result.checked else ""
    from oakum_lint.app.report import render

    return render(result, output_format, colour)


def _wants_colour(choice: str, stream: "TextIO | None") -> bool:
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if stream is None:  # closed when the command was started
        return False
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def emit(text: str, stream: "TextIO | None" = None) -> None:
    """Writes a text to standard output, or to another stream."""
    out = stream or _standard_output()
    try:
        reconfigure = getattr(out, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
        out.write(text)
        out.flush()
    except OSError as error:
        _abandon(out)
        _refuse(error)


def emit_bytes(data: bytes) -> None:
    """Writes program text to standard output as it would stand in its file."""
    out = _standard_output()
    try:
        out.flush()
        out.buffer.write(data)
        out.buffer.flush()
    except OSError as error:
        _abandon(out)
        _refuse(error)


def _standard_output() -> "TextIO":
    # Python has no stream where the descriptor was closed when it started.
    out: TextIO | None = sys.stdout
    if out is None:
        raise OutputError("it is closed")
    return out


def _refuse(error: OSError) -> None:
    """Ends a command whose output cannot be written. A reader that has left has seen enough."""
    if isinstance(error, BrokenPipeError):
        raise error
    raise OutputError(error.strerror or type(error).__name__) from None


def _abandon(stream: "TextIO") -> None:
    """Lets go what a stream still holds, which it would try to write again at the end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
