"""The text of code that was typed at a prompt, which has no file: what the prompt is about to run,
and the history of the lines that were typed.
"""

from __future__ import annotations

import code
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any, Final

PROMPTS: Final = ("<stdin>", "<console>", "<input>")
"""The names that prompts have for a file."""
_MOST_LINES: Final = 500
_CONTINUING: Final = ("else", "elif", "except", "finally", ")", "]", "}")


def texts(frame: FrameType) -> Iterator[str]:
    """Yields texts that may be what the code of a frame was compiled from, the last typed first."""
    above: FrameType | None = frame
    while above is not None:
        if above.f_code.co_filename == code.__file__ and above.f_code.co_name == "runsource":
            yield str(above.f_locals.get("source"))
        above = above.f_back
    readline: Any = sys.modules.get("readline")
    if readline is None:
        return
    count = readline.get_current_history_length()
    first = max(1, count - _MOST_LINES + 1)
    typed = [str(readline.get_history_item(at)) for at in range(first, count + 1)]
    yield from reversed(list(_inputs(typed)))


def _inputs(typed: list[str]) -> Iterator[str]:
    """Yields what was compiled together: a statement with its block and its decorators."""
    lines: list[str] = []
    for line in typed:
        goes_on = line[:1].isspace() or line.startswith(_CONTINUING)
        if lines and not goes_on and not lines[-1].startswith("@"):
            yield "\n".join(lines) + "\n"
            lines = []
        lines.append(line)
    if lines:
        yield "\n".join(lines) + "\n"
