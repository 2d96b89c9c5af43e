"""The line of the user's program that an error is about, as its message shows it.

A traceback shows the line too, where Python has the source; a message is also logged, caught and
printed by itself, and with `python -c` it is the only one that has the text.

Invariants:
- Nothing of the user's is run. Sources are read only when an error has been raised.
- What explains an error never takes its place: without a source there is no excerpt.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Final

from oakum.errors import OakumError
from oakum.tracing.operand_names import arrays_at
from oakum.tracing.source_text import text_of, tree_of
from oakum.values.user_frames import UserFrame, is_users, running_frame

_LONGEST: Final = 100
"""Lines that are longer are cut: their beginning says which they are."""
_INDENT: Final = "    "


def locate(error: OakumError) -> None:
    """Notes in an error the user's line, if it knows none, and the text of its line."""
    if error.excerpt:
        return
    places = list(_places(error))
    if not places:
        return
    if error.frame is None:
        error.frame = places[0][1].frame
    wanted = error.frame
    for running, place in places:
        if place.code.co_filename == wanted.file and place.line == wanted.line:
            error.excerpt = excerpt(place, running)
            if error.operands is None:
                with contextlib.suppress(Exception):  # It must not take the place of the error.
                    error.operands = arrays_at(running, place.instruction)
            return


def _places(error: OakumError) -> Iterator[tuple[FrameType, UserFrame]]:
    """Yields the user's frames that an error has passed or is in, the innermost first."""
    passed: list[TracebackType] = []
    traceback = error.__traceback__
    while traceback is not None:
        if is_users(traceback.tb_frame.f_code.co_filename):
            passed.append(traceback)
        traceback = traceback.tb_next
    for each in reversed(passed):
        yield each.tb_frame, UserFrame(each.tb_frame.f_code, each.tb_lasti)
    frame = running_frame()
    while frame is not None:
        if is_users(frame.f_code.co_filename):
            yield frame, UserFrame(frame.f_code, frame.f_lasti)
        frame = frame.f_back


def excerpt(place: UserFrame, running: FrameType) -> str:
    """Returns the line of a place with marks below what was computed there; "" without a source."""
    position = place.position
    line = place.line if position is None else position[0]
    if tree_of(running) is None:
        return ""
    lines = text_of(running).splitlines()
    text = lines[line - 1].expandtabs(1)
    shown = text.strip()
    cut = len(text) - len(text.lstrip())
    if position is None:
        return _INDENT + shown[:_LONGEST]
    raw = text.encode()
    start = len(raw[: position[1]].decode(errors="replace")) - cut
    end = len(raw[: position[3]].decode(errors="replace")) - cut if position[2] == line else -1
    if end <= start:
        end = len(shown)
    marks = f"{' ' * start}{'^' * (end - start)}"
    return f"{_INDENT}{shown[:_LONGEST]}\n{_INDENT}{marks[:_LONGEST]}".rstrip()
