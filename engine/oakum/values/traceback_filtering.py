"""Removes oakum's own frames from tracebacks, so that users see theirs.

The option `traceback_filtering` says how: `off` shows everything; `tracebackhide` marks our frames
for tools that hide marked frames; `remove_frames` takes them out and keeps the whole as the cause;
`quiet_remove_frames` takes them out with a note; `auto` is the best of these for the place.

Invariants:
- Nothing is done until an exception passes: the outermost call of ours filters, once.
- Importing this module imports only the standard library and other modules of `oakum.values`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType
from typing import Any, Final, TypeVar, cast

from oakum.errors import OakumError
from oakum.values.option_values import State, one_of
from oakum.values.user_frames import is_internal

_NOTE: Final = (
    "For simplicity, oakum has removed its internal frames: OAKUM_TRACEBACK_FILTERING=off shows "
    "them."
)

F = TypeVar("F", bound=Callable[..., Any])


Locator = Callable[[OakumError], None]

_locators: Final[list[Locator]] = []


def locate_by(locator: Locator) -> None:
    """Has a function note in an error of ours what the user's line is, before it is shown."""
    _locators.append(locator)


class UnfilteredStackTrace(Exception):
    """Carries the whole traceback of an exception from which our frames were taken out."""


_boundaries: Final[set[CodeType]] = set()


def register(function: Callable[..., Any]) -> None:
    """Makes the code of a function a place where exceptions are filtered."""
    _boundaries.add(function.__code__)


def is_boundary(code: CodeType) -> bool:
    """Whether a function of this code is called by users, and filters exceptions."""
    return code in _boundaries


def api_boundary(function: F) -> F:
    """Decorates a function that users call: its exceptions show the users' frames."""

    @functools.wraps(function)
    def boundary(*args: object, **kwargs: object) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            filter_traceback(error)
            raise

    # What a wrapper of ours wraps is the user's function, not the wrapper without this one.
    boundary.__wrapped__ = getattr(function, "__wrapped__", function)
    register(boundary)
    return boundary  # type: ignore[return-value]


def _is_outermost() -> bool:
    """Whether no call of ours stands above the one that is filtering."""
    frame: FrameType | None = sys._getframe(2).f_back  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        if frame.f_code in _boundaries:
            return False
        frame = frame.f_back
    return True


def filter_traceback(error: Exception) -> None:
    """Takes our frames out of the traceback of an exception, where this is the outermost call.

    An error of ours learns the user's line first, in any call: users catch errors in traced code.
    """
    _locate(error)
    if not _is_outermost():
        return
    mode = _mode()
    if mode == "off" or _is_filtered(error):
        return
    whole = error.__traceback__
    if mode == "tracebackhide":
        for each in _chain(error):
            _hide(each.__traceback__)
        return
    filtered = _without_internal(whole)
    if mode == "remove_frames":
        cause = UnfilteredStackTrace(
            "The stack trace below excludes oakum's internal frames. The preceding is the original "
            "exception that occurred, unmodified."
        )
        cause.with_traceback(whole)
        cause.__cause__ = error.__cause__
        cause.__context__ = error.__context__
        cause.__suppress_context__ = error.__suppress_context__
        error.__cause__ = cause
    else:
        # What was raised before, or in a group, is printed too.
        for each in _chain(error):
            _leave_out_ours(each)
        for each in _chain(error):
            each.__traceback__ = _without_internal(each.__traceback__)
        if _NOTE not in getattr(error, "__notes__", ()):
            error.add_note(_NOTE)
    error.__traceback__ = filtered


def _locate(error: Exception) -> None:
    if isinstance(error, OakumError):
        for locate in _locators:
            locate(error)


def _chain(error: BaseException) -> list[BaseException]:
    """Returns an exception, those that it was raised from or during, and those that it groups."""
    found: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is None or any(each is known for known in found):
            continue
        found.append(each)
        waiting += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            waiting += cast("tuple[BaseException, ...]", each.exceptions)
    return found


def _leave_out_ours(error: BaseException) -> None:
    """Leaves out what an exception was raised from or during, where that never left our code."""
    cause, context = error.__cause__, error.__context__
    is_suppressed = error.__suppress_context__
    while context is not None and _is_ours(context):
        context = context.__context__
    if cause is not None and _is_ours(cause):
        error.__cause__, is_suppressed = None, False
    error.__context__ = context
    error.__suppress_context__ = is_suppressed


def _is_ours(error: BaseException) -> bool:
    """Whether an exception was raised, and shows no frame but ours."""
    return error.__traceback__ is not None and _without_internal(error.__traceback__) is None


def _is_filtered(error: BaseException) -> bool:
    return isinstance(error.__cause__, UnfilteredStackTrace)


traceback_filtering: Final[State[str]] = State(
    "jax_traceback_filtering",
    "auto",
    one_of(("off", "tracebackhide", "remove_frames", "quiet_remove_frames", "auto")),
)


def _mode() -> str:
    mode = traceback_filtering.value
    if mode == "auto":
        return "quiet_remove_frames"
    return mode


def _hide(traceback: TracebackType | None) -> None:
    while traceback is not None:
        if is_internal(traceback.tb_frame.f_code.co_filename):
            traceback.tb_frame.f_locals["__tracebackhide__"] = True
        traceback = traceback.tb_next


def _without_internal(traceback: TracebackType | None) -> TracebackType | None:
    kept: list[TracebackType] = []
    while traceback is not None:
        if not is_internal(traceback.tb_frame.f_code.co_filename):
            kept.append(traceback)
        traceback = traceback.tb_next
    result: TracebackType | None = None
    for each in reversed(kept):
        result = TracebackType(result, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return result
