"""Tests that run with checks on: what `pytest --oakum-check` does.

Of tests that use real JAX, leaks, keys and NaN are looked for from the frames of the test and of
what it tests (`jax_watch`). JAX's own checks make them up to 3 times slower (keys and NaN) or 200
times (leaks), miss leaks of `grad`, and end a test at the first NaN, though it is taken out again.
For infinities there is JAX's own option alone, whose error ends the test, with the line, the code
and the help.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final

import pytest

from oakum.api.checks import checked_run, jax_frames
from oakum.api.checks.jax_watch import JaxWatch
from oakum.api.checks.known_findings import KnownFindings
from oakum.values.checks.check_outcomes import CHECKS, MARKER, Found

_WATCHED: Final = ("leaks", "keys", "nans", "retraces", "transfers")
"""The checks of code on real JAX for which no option of JAX's is used."""
_ENTRIES: Final = "oakum-entries"
"""The user property of a report that has what becomes the baseline."""
_PROPERTY: Final = "oakum"
"""The user property of a report that has what was found, from the workers of xdist too."""


class CheckedTests:
    """The part of the plugin that is there where checks were asked for."""

    def __init__(self, checks: Sequence[str], known: KnownFindings) -> None:
        self._checks: Final = tuple(checks)
        self._known: Final = known

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Runs a test, and fails it where something was found."""
        with self._on(item) as found:
            try:
                result = yield
            except Exception as error:
                checked_run.explain(error)
                raise
        if self._known.writes:
            item.user_properties.append((_ENTRIES, list(map(self._known.entry, found))))
            return result
        found = [each for each in found if not self._known.knows(each)]
        if found:
            item.user_properties.append((_PROPERTY, list(map(_place, found))))
            pytest.fail("\n\n".join(map(checked_run.text_of, found)), pytrace=False)
        return result

    @contextlib.contextmanager
    def _on(self, item: pytest.Item) -> Generator[list[Found]]:
        left_out = {name for mark in item.iter_markers(MARKER) for name in mark.args or CHECKS}
        checks = [name for name in self._checks if name not in left_out]
        jax: Any = jax_frames.real_jax()
        with contextlib.ExitStack() as stack:
            found = stack.enter_context(checked_run.collecting(checks))
            watched = [each for each in checks if each in _WATCHED]
            for check in (CHECKS[each] for each in checks if each not in _WATCHED):
                if jax is not None and check.is_of_jax and check.option is not None:
                    stack.enter_context(getattr(jax, check.option)(True))
            if jax is not None or "transfers" in watched:
                watching = JaxWatch(
                    jax_frames.FrameTrace(), watched, functools.partial(checked_run.add, found)
                )
                watching.begin(is_oakum=jax is None)
                stack.callback(watching.end)
            yield found

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Lists the lines at which something was found, with how many tests each fails; or writes
        the baseline.
        """
        tests: dict[str, int] = {}
        for place in _properties(terminalreporter, "failed", _PROPERTY):
            tests[place] = tests.get(place, 0) + 1
        if self._known.writes:
            entries = map(tuple, _properties(terminalreporter, "passed", _ENTRIES))
            self._known.write(entries)
        if tests:
            terminalreporter.section("oakum")
            for place, count in sorted(tests.items()):
                terminalreporter.line(f"{place}: {count} {'test' if count == 1 else 'tests'}")


def _properties(reporter: pytest.TerminalReporter, outcome: str, name: str) -> Iterator[Any]:
    """Yields what the properties of a name hold, of the tests with an outcome."""
    for report in reporter.getreports(outcome):
        for each, values in getattr(report, "user_properties", ()):
            if each == name and getattr(report, "when", "call") == "call":
                yield from values


def _place(found: Found) -> str:
    return f"{found.file}:{found.line}: {found.code} {found.name}"
