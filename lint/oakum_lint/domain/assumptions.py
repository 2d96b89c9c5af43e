"""Assumptions: what the settings say of code, beside what is proved of it."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from oakum_lint.models.habits import CALL_COUNTERS, DRAW_FLAGS, STILL_FLAGS, TRACE_COUNTERS
from oakum_lint.text.names import name_pattern


class Assumptions:
    """The settings about code that its users will trace, and about the meaning of its names.

    `annotated`: parameters and fields annotated as arrays are traced. `entry_points`: the dotted
    names of functions that are traced with all they take; `*` stands for any part of one.
    `trace_counters` and `call_counters`: patterns of names that are meant to change while tracing.
    `draw_flags` and `still_flags`: patterns of arguments by which modules draw numbers, or do not.
    """

    __slots__ = (
        "_call_counters",
        "_draw_flags",
        "_patterns",
        "_still_flags",
        "_trace_counters",
        "annotated",
    )

    def __init__(
        self,
        annotated: bool = False,
        entry_points: Sequence[str] = (),
        trace_counters: Sequence[str] = TRACE_COUNTERS,
        call_counters: Sequence[str] = CALL_COUNTERS,
        draw_flags: Sequence[str] = DRAW_FLAGS,
        still_flags: Sequence[str] = STILL_FLAGS,
    ) -> None:
        self.annotated = annotated
        self._patterns = [name_pattern(name) for name in entry_points]
        self._trace_counters = _lowered(trace_counters)
        self._call_counters = _lowered(call_counters)
        self._draw_flags = _lowered(draw_flags)
        self._still_flags = _lowered(still_flags)

    def __bool__(self) -> bool:
        """Whether anything is assumed to be traced."""
        return self.annotated or bool(self._patterns)

    @property
    def key(self) -> tuple[object, ...]:
        """Returns what is equal for assumptions that say the same, as plain values."""
        return (
            self.annotated,
            [pattern.pattern for pattern in self._patterns],
            self._trace_counters,
            self._call_counters,
            self._draw_flags,
            self._still_flags,
        )

    def declares(self, name: str) -> bool:
        """Whether a function is declared as an entry point, by its dotted name.

        >>> Assumptions(entry_points=["solvers.*.step"]).declares("solvers.rk.step")
        True
        """
        return any(pattern.match(name) for pattern in self._patterns)

    def counts_traces(self, text: str) -> bool:
        """Whether a name, or the text of a call that prints, says that it is about tracing.

        >>> NOTHING_ASSUMED.counts_traces("self.nTraces"), NOTHING_ASSUMED.counts_traces("calls")
        (True, False)
        """
        return _matches(text, self._trace_counters)

    def counts_calls(self, name: str) -> bool:
        """Whether a name says that it follows calls, or numbers what is made.

        >>> NOTHING_ASSUMED.counts_calls("self.depth"), NOTHING_ASSUMED.counts_calls("steps")
        (True, False)
        """
        return _matches(name, self._call_counters)

    def draws_by(self, flag: str) -> bool | None:
        """Whether a module draws numbers where an argument of this name is true, or is not zero;
        False: it draws none then, None: the argument is about something else.

        >>> [NOTHING_ASSUMED.draws_by(flag) for flag in ("train", "deterministic", "x")]
        [True, False, None]
        """
        if _matches(flag, self._draw_flags):
            return True
        return False if _matches(flag, self._still_flags) else None


def _lowered(patterns: Sequence[str]) -> tuple[str, ...]:
    return tuple([pattern.lower() for pattern in patterns])


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name.lower(), pattern) for pattern in patterns)


NOTHING_ASSUMED = Assumptions()
