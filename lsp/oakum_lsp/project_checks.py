"""When the open documents are checked with the project around them.

That takes a second where the check of the documents alone takes a fifth of it. So it waits until
the user pauses and the quick check is done, and has a process of its own, of low priority. The
process keeps what it has parsed: the project is read once.

Invariants:
- One job runs at a time. What it finds counts only if each document that it has checked is still
  open, with the same text.
- A job whose texts have changed is let be for a while, because a new process would have to read the
  whole project again, and then abandoned.
- After a job that took too long or failed, nothing more is tried while the user types: only when
  a document is opened, saved or closed, or files on disk change.
"""

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from oakum_lsp.analysis_process import WALL, AnalysisProcess
from oakum_lsp.checks import Checks
from oakum_lsp.display import Display
from oakum_lsp.documents import Document
from oakum_lsp.outcomes import Outcome
from oakum_lsp.workspace import Workspace

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Answer, Found, Report

_PAUSE: Final = 0.6
"""Seconds after the quick check, without a change, in which the project is not looked at yet.
Between two keys of who types are 0.1 to 0.4."""

_TIME: Final = 3.0
"""So many times as long as a check of one document this may take."""

_OUTDATED: Final = 8.0
"""CPU seconds that a job whose texts have changed may take in all. Of flax, with `linen/linear.py`
open, a new process takes 3.4 and one that knows the project 1.1; with 20 files open 7.4 and 4.3."""

_REST: Final = 60.0
"""Seconds without work after which the process ends: it occupies 80 to 150 MB."""

_GROWTH: Final = 1.5
_SLACK: Final = 20 * 1024 * 1024
"""A process that occupies more than so, compared with its first job, ends after its job."""

_MOST_FAILED_STARTS: Final = 3


class _Job:
    """A job that runs, over documents of which this was known when it began."""

    def __init__(self, number: int, outcomes: dict[str, Outcome]) -> None:
        self.number = number
        self.outcomes = outcomes
        self.found: dict[str, Found] = {}
        self.since = time.monotonic()
        self.seconds = 0.0
        self.is_outdated = False


class ProjectChecks:
    """Has the open documents checked with their projects, and shows what is found."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        workspace: Workspace,
        checks: Checks,
        display: Display,
        report: "Callable[[AnalysisProcess, Report | None], None]",
        log: Callable[[str], None],
        seconds: float,
    ) -> None:
        self._documents = documents
        self._workspace = workspace
        self._checks = checks
        self._display = display
        self._report = report
        self._log = log
        self._limit = seconds * _TIME
        self._process: AnalysisProcess | None = None
        self._rests_since = 0.0
        self._job: _Job | None = None
        self._jobs = 0
        self._is_wanted = False
        self._due: float | None = None
        """When the pause is over; None until it begins."""
        self._has_failed = False
        self._failed_starts = 0
        self._is_stopped = False

    # --- what the server asks -----------------------------------------------------------------

    def request_after_edit(self) -> None:
        """Checks after a pause, if the last check has come to its end."""
        if not self._has_failed:
            self.request()

    def request(self) -> None:
        """Checks after a pause, whatever became of the last check."""
        self._has_failed = False
        self._is_wanted = True
        self._due = None

    def note_disk(self) -> None:
        """Notes that files have changed which no editor holds: what a job finds is outdated."""
        if self._job is not None:
            self._job.is_outdated = True
        self.request()

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing is left to do, here or in the quick checks."""
        return self._job is None and not self._is_wanted and self._checks.is_at_rest

    def stop(self) -> None:
        """Ends the process; nothing is checked any more."""
        self._is_stopped = True
        self._end_process()

    def wait(self) -> float | None:
        """The seconds after which `advance` has something to do; None if only an event ends the
        wait.
        """
        now = time.monotonic()
        if self._job is not None:
            return max(0.0, self._job.since + self._limit * WALL - now)
        if self._is_wanted:
            return None if self._due is None else max(0.0, self._due - now)
        return max(0.0, self._rests_since + _REST - now) if self._process is not None else None

    def advance(self) -> None:
        """Begins what is due, and abandons what takes too long or has become useless."""
        now = time.monotonic()
        job = self._job
        if job is not None:
            if job.seconds > self._limit or now > job.since + self._limit * WALL:
                self._give_up(f"it was given up after {self._limit:g} s")
            elif job.seconds > _OUTDATED and not self._is_current(job):
                self._end_process()
                self.request()
        elif self._is_wanted:
            if not self._checks.is_at_rest:
                self._due = None
            elif self._due is None:
                self._due = now + _PAUSE
            elif now >= self._due:
                self._is_wanted = False
                self._begin()
        elif self._process is not None and now >= self._rests_since + _REST:
            self._end_process()

    # --- jobs ---------------------------------------------------------------------------------

    def _begin(self) -> None:
        known = self._checks.checked()
        texts = {uri: outcome.document for uri, outcome in known.items()}
        roots = self._workspace.roots_of(texts.values())
        if not roots:
            self._display.forget_project()
            self._end_process()
            return
        self._start()
        if self._process is None:
            return
        self._jobs += 1
        self._job = _Job(self._jobs, {uri: known[uri] for uri in roots})
        self._process.give(self._jobs, self._checks.encoding, texts, list(roots), None, roots)

    def _start(self) -> None:
        if self._process is not None or self._is_stopped:
            return
        if self._failed_starts < _MOST_FAILED_STARTS:
            try:
                self._process = AnalysisProcess(self._report, is_background=True)
            except OSError as error:
                self._failed_starts = _MOST_FAILED_STARTS
                self._log(f"the process that looks at projects cannot be started: {error}")

    def _end_process(self) -> None:
        self._job = None
        if self._process is not None:
            self._process.end()
            self._process = None

    def _is_current(self, job: _Job) -> bool:
        """Whether each document that a job checks still has the same text, and the quick check
        still finds the same in it.
        """
        known = self._checks.outcomes
        return not job.is_outdated and all(
            (now := known.get(uri)) is not None
            and self._documents[uri] is then.document
            and now.diagnostics == then.diagnostics
            for uri, then in job.outcomes.items()
        )

    def receive(self, process: AnalysisProcess, message: "Report | None") -> None:
        """Takes what the process has sent; None when it has ended."""
        if process is not self._process:
            return  # one that was abandoned, or that of the quick check
        job = self._job
        if message is None:
            self._failed_starts += not process.is_ready
            if job is not None:
                self._give_up("the analysis ended unexpectedly")
            self._end_process()
            return
        process.is_ready = True
        if job is None or message["id"] != job.number:
            return
        if "seconds" in message:
            job.seconds = message["seconds"]
        elif "uri" in message:
            job.found[message["uri"]] = message
        else:
            self._finish(process, job, message)

    def _finish(self, process: AnalysisProcess, job: _Job, answer: "Answer") -> None:
        self._job = None
        self._rests_since = time.monotonic()
        self._failed_starts = 0
        if answer["failure"] is not None:
            self._give_up(answer["failure"])
        elif answer["refusal"] is not None:
            self._display.forget_project()  # the quick check has said why
        elif self._is_current(job):
            self._display.show_with_project(job.outcomes, job.found)
        else:
            self._is_wanted = True
        first = process.memory[0] or answer["memory"]
        process.memory = (first, answer["memory"])
        if answer["memory"] > first * _GROWTH + _SLACK:
            self._end_process()

    def _give_up(self, reason: str) -> None:
        self._log(f"the project around the open documents is not seen: {reason}")
        self._has_failed = True
        self._is_wanted = False
        self._end_process()
        self._display.forget_project()
