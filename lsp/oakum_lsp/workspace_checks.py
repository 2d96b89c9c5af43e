"""When the whole workspace is checked: the files of all folders that are open in the editor.

That takes as long as `oakum check` takes for them, so it waits until everything else is done, has a
process of its own, of low priority, that ends with it, and what is found is kept for later runs in
the project's index: parts that have not changed are not analysed again.

Invariants:
- One job runs at a time. What it finds counts unless files on disk have changed meanwhile: what
  edits change in other files, the checks of open documents show.
- After a job that was slow, nothing more is tried while the user types: only when a document is
  opened, saved or closed, or files on disk change.
"""

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from oakum_lsp.analysis_process import WALL, AnalysisProcess
from oakum_lsp.display import Display
from oakum_lsp.documents import Document
from oakum_lsp.progress import Progress
from oakum_lsp.project_checks import ProjectChecks
from oakum_lsp.workspace import Workspace

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Answer, Found, Report

_PAUSE: Final = 0.5
"""Seconds after all other checks in which nothing is begun."""

_TIME: Final = 60.0
"""So many times as long as a check of one document this may take: the 300 files of flax and optax,
which take 10 seconds, many times over."""

_QUICK: Final = 2.0
"""CPU seconds up to which a job is repeated after each pause."""


class _Job:
    """A job that runs."""

    def __init__(self) -> None:
        self.found: dict[str, Found] = {}
        self.since = time.monotonic()
        self.seconds = 0.0
        self.is_outdated = False


class WorkspaceChecks:
    """Has the workspace checked, and shows what is found in files that are not open."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        workspace: Workspace,
        project_checks: ProjectChecks,
        display: Display,
        report: "Callable[[AnalysisProcess, Report | None], None]",
        progress: Progress,
        log: Callable[[str], None],
        seconds: float,
    ) -> None:
        self._documents = documents
        self._workspace = workspace
        self._project_checks = project_checks
        self._display = display
        self._report = report
        self._progress = progress
        self._log = log
        self._limit = seconds * _TIME
        self.encoding = "utf-16"
        self._process: AnalysisProcess | None = None
        self._job: _Job | None = None
        self._is_wanted = False
        self._due: float | None = None
        self._is_slow = False
        self._is_stopped = False

    # --- what the server asks -----------------------------------------------------------------

    def request(self) -> None:
        """Checks once all else is done."""
        self._is_wanted = not self._is_stopped
        self._due = None

    def request_after_edit(self) -> None:
        """Checks once all else is done, if that does not take long."""
        if not self._is_slow:
            self.request()

    def note_disk(self) -> None:
        """Notes that files have changed which no editor holds: what a job finds is outdated."""
        if self._job is not None:
            self._job.is_outdated = True
        self.request()

    def stop(self) -> None:
        """Ends the process; nothing is checked any more."""
        self._is_stopped = True
        self._is_wanted = False
        self._end()

    def wait(self) -> float | None:
        """The seconds after which `advance` has something to do; None if only an event ends the
        wait.
        """
        now = time.monotonic()
        if self._job is not None:
            return max(0.0, self._job.since + self._limit * WALL - now)
        return None if self._due is None else max(0.0, self._due - now)

    def advance(self) -> None:
        """Begins what is due, and abandons what takes too long."""
        now = time.monotonic()
        job = self._job
        if job is not None:
            if job.seconds > self._limit or now > job.since + self._limit * WALL:
                self._give_up(f"it was given up after {self._limit:g} s")
        elif self._is_wanted:
            if not self._project_checks.is_at_rest:
                self._due = None
            elif self._due is None:
                self._due = now + _PAUSE
            elif now >= self._due:
                self._is_wanted, self._due = False, None
                self._begin()

    # --- jobs ---------------------------------------------------------------------------------

    def _begin(self) -> None:
        roots = self._workspace.roots()
        if not roots:
            self._display.forget_workspace()
            return
        try:
            self._process = AnalysisProcess(self._report, is_background=True)
        except OSError as error:
            self._log(f"the process that looks at the workspace cannot be started: {error}")
            return
        self._job = _Job()
        self._progress.begin()
        documents = {uri: each for uri, each in self._documents.items() if each.refusal is None}
        self._process.give(1, self.encoding, documents, [], None, workspace=roots)

    def _end(self) -> None:
        self._job = None
        self._progress.end()
        if self._process is not None:
            self._process.end()
            self._process = None

    def receive(self, process: AnalysisProcess, message: "Report | None") -> None:
        """Takes what the process has sent; None when it has ended."""
        job = self._job
        if process is not self._process or job is None:
            return
        if message is None:
            self._give_up("the analysis ended unexpectedly")
        elif message["id"] != 1:
            return
        elif "seconds" in message:
            job.seconds = message["seconds"]
        elif "uri" in message:
            job.found[message["uri"]] = message
        else:
            self._finish(job, message)

    def _finish(self, job: _Job, answer: "Answer") -> None:
        if answer["failure"] is not None:
            self._give_up(answer["failure"])
            return
        self._end()
        self._is_slow = job.seconds > _QUICK
        if answer["refusal"] is not None:
            self._display.forget_workspace()  # the quick check says why
        elif job.is_outdated:
            self.request()
        else:
            self._display.show_workspace(job.found)

    def _give_up(self, reason: str) -> None:
        self._log(f"the workspace is not seen: {reason}")
        self._is_slow = True
        self._end()
