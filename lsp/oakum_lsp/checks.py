"""When which documents are checked, and what is known of each.

All open documents are checked together some time after one of them changes. A check that takes too
long, or takes the process down, is abandoned and its documents are checked in smaller groups, until
it is known which one is at fault: that one is set aside until it changes.

Invariants:
- One job runs at a time; what it finds counts only if the document has not changed since.
- Every open document is answered: by what is found, or by a diagnostic that says why it was not
  checked.
"""

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from oakum.values import codes
from oakum.values.codes import Code
from oakum_lsp.analysis_process import WALL, AnalysisProcess
from oakum_lsp.documents import Document
from oakum_lsp.outcomes import Outcome, unchecked

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Answer, Asked, Found, Report

_SECONDS_OF_FURTHER: Final = 0.25
"""CPU seconds more for each further document that is checked with the first."""

_TIME_FOR_FIXES: Final = 3.0
"""So many times as long as a check all fixes of a document may take: each pass is a check."""

_GROWTH: Final = 1.05
_SLACK: Final = 512 * 1024
_JOBS: Final = 100
"""A process that occupies more than so after so many jobs, compared with the first, is replaced
when it rests: a new one takes half a second to know the documents. With 300
jobs and 2 MiB it had grown by 12% after 10,000 fast edits; so it stays below 8% in 3,500."""

_MOST_JOBS: Final = 300
"""While a text is no Python, the process that knows what it was before stays for so many jobs: a
new one would know nothing of that, and what was found in the text would go until it is Python."""

_FORGOTTEN: Final = 50_000
"""So is one that has held more than twice the text of the open documents, and so many characters:
what it made of them, some 90 bytes for each, does not go back to the system in any other way."""

_MOST_FAILED_STARTS: Final = 3


class _Job:
    """A job that runs: the documents as they were when it began, and how long it may take."""

    def __init__(
        self,
        number: int,
        documents: dict[str, Document],
        done: "Callable[[Answer | None], None] | None",
    ) -> None:
        self.number = number
        self.documents = documents
        self.done = done
        self.seconds = 0.0
        self.since = time.monotonic()
        self.limit = 0.0


class Checks:
    """Has the open documents checked, and hands out what is found in each."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        report: "Callable[[AnalysisProcess, Report | None], None]",
        publish: Callable[[Outcome], None],
        complain: Callable[[str], None],
        log: Callable[[str], None],
        seconds: float,
    ) -> None:
        self._documents = documents
        self._report = report
        self._publish = publish
        self._complain = complain
        self._log = log
        self._seconds = seconds
        self.encoding = "utf-16"
        self.outcomes: dict[str, Outcome] = {}
        self._process: AnalysisProcess | None = None
        self._is_stopped = False
        self._failed_starts = 0
        self._job: _Job | None = None
        self._jobs = 0
        self._due: float | None = None
        self._changed: set[str] = set()
        self._groups: list[list[str]] = []
        """Documents that are checked apart from each other, after a check that was abandoned."""
        self._apart: dict[str, Document] = {}
        """Documents that are at fault for such a check, as they were then."""
        self._questions: list[tuple[Asked, Callable[[Answer | None], None]]] = []

    # --- what the server asks -----------------------------------------------------------------

    def start(self) -> None:
        """Starts the process, so that it is ready when the first document is opened."""
        if self._is_stopped or self._failed_starts >= _MOST_FAILED_STARTS:
            return
        if self._process is None:
            try:
                self._process = AnalysisProcess(self._report)
            except OSError as error:
                self._failed_starts = _MOST_FAILED_STARTS
                self._complain(f"the process that analyses cannot be started: {error}")

    def stop(self) -> None:
        """Ends the process; nothing is checked any more."""
        self._is_stopped = True
        self._end_process()

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None

    def request(self, uri: str, delay: float) -> None:
        """Checks after `delay` seconds, unless another request comes first.

        What is found in the document `uri` is published in any case, of the rest when it is not
        what was published last.
        """
        document = self._documents[uri]
        if document.refusal is not None:
            self._settle(unchecked(document, codes.UNREADABLE_FILE, document.refusal))
        self._changed.add(uri)
        self._due = time.monotonic() + delay

    def request_all(self, delay: float) -> None:
        """Checks after `delay` seconds, because files on disk have changed."""
        self._due = time.monotonic() + delay

    def forget(self, uri: str) -> None:
        """Forgets a document that was closed; for the rest, what is on disk counts again."""
        self._changed.discard(uri)
        self.outcomes.pop(uri, None)
        self._apart.pop(uri, None)
        self._due = time.monotonic()

    def ask(self, asked: "Asked", done: "Callable[[Answer | None], None]") -> None:
        """Has a question about a document answered; `done` gets None if that is abandoned."""
        self._questions.append((asked, done))
        self.advance()

    def wait(self) -> float | None:
        """The seconds after which `advance` has something to do; None if only an event ends the
        wait.
        """
        now = time.monotonic()
        if self._job is not None:
            return max(0.0, self._job.since + self._job.limit * WALL - now)
        return None if self._due is None else max(0.0, self._due - now)

    @property
    def is_at_rest(self) -> bool:
        """Whether what is known of the documents is all that there is to know."""
        return self._job is None and self._due is None and not self._groups and not self._questions

    def checked(self) -> dict[str, Outcome]:
        """What was found in the documents that could be checked."""
        return {
            uri: outcome
            for uri, outcome in self.outcomes.items()
            if uri not in self._apart
            and outcome.document is self._documents.get(uri)
            and outcome.document.refusal is None
        }

    # --- jobs ---------------------------------------------------------------------------------

    def advance(self) -> None:
        """Begins what is due, and abandons what takes too long."""
        job = self._job
        now = time.monotonic()
        if job is not None:
            if job.seconds > job.limit or now > job.since + job.limit * WALL:
                self._give_up(job, None)
            return
        if self._questions:
            self._begin([], *self._questions.pop(0))
        elif self._groups:
            self._begin(self._groups.pop(0), None, None)
        elif self._due is not None and now >= self._due:
            self._due = None
            self._begin_iteration()
        elif self._due is None and self._process is not None and self._has_grown(self._process):
            self._end_process()
            self.start()
            self._due = now  # so that it knows the documents before the next change

    def _begin_iteration(self) -> None:
        """Checks all documents together, and those that were set aside and have changed apart."""
        together: list[str] = []
        for uri, document in self._documents.items():
            if document.refusal is not None:
                continue
            if uri not in self._apart:
                together.append(uri)
            elif self._apart[uri] is not document:
                self._groups.append([uri])
        if together:
            self._groups.insert(0, together)
        self.advance()

    def _begin(
        self,
        check: list[str],
        asked: "Asked | None",
        done: "Callable[[Answer | None], None] | None",
    ) -> None:
        check = [uri for uri in check if uri in self._documents]
        self.start()
        if self._process is None or (asked is None and not check):
            if done is not None:
                done(None)
            return
        self._jobs += 1
        documents = {uri: d for uri, d in self._documents.items() if d.refusal is None}
        sent = {
            uri: document
            for uri, document in documents.items()
            if uri in check or uri not in self._apart or (asked and uri == asked["uri"])
        }
        self._job = _Job(self._jobs, {uri: documents[uri] for uri in check}, done)
        further = max(0, len(check) - 1) * _SECONDS_OF_FURTHER
        fixes = asked is not None and asked["kind"] == "fixes"
        self._job.limit = self._seconds * (_TIME_FOR_FIXES if fixes else 1.0) + further
        self._process.give(self._jobs, self.encoding, sent, check, asked)

    def receive(self, process: AnalysisProcess, message: "Report | None") -> None:
        """Takes what the process has sent; None when it has ended."""
        if process is not self._process:
            return  # one that was abandoned
        job = self._job
        if message is None:
            self._end_process()
            self._failed_starts += not process.is_ready
            if job is not None:
                self._give_up(job, "the analysis ended unexpectedly")
            return
        process.is_ready = True
        if job is None or message["id"] != job.number:
            return
        if "seconds" in message:
            job.seconds = message["seconds"]
        elif "uri" in message:
            self._take(job, message)
        else:
            self._finish(job, message)

    def _finish(self, job: _Job, answer: "Answer") -> None:
        self._job = None
        self._failed_starts = 0
        failure, refusal = answer["failure"], answer["refusal"]
        if refusal is not None:
            self._complain(refusal)
        if job.done is not None:
            if failure is not None:
                self._log(f"oakum failed: {failure}")
            job.done(answer)
        elif failure is not None and refusal is None:
            self._divide(job, codes.INTERNAL_ERROR, failure)
        if self._process is not None:
            self._process.done += 1
            self._process.keeps_programs = answer["keeps_programs"]
            self._process.memory = (self._process.memory[0] or answer["memory"], answer["memory"])

    def _take(self, job: _Job, found: "Found") -> None:
        uri = found["uri"]
        document = job.documents[uri]
        if self._documents.get(uri) is not document:
            return  # changed or closed meanwhile
        self._settle(Outcome(document, found["diagnostics"], found["offers"]))
        if self._apart.pop(uri, None) is not None:
            self._due = time.monotonic()  # together with the rest something else may be found

    def _settle(self, outcome: Outcome) -> None:
        """Publishes what was found in a version of a document."""
        uri = outcome.document.uri
        known = self.outcomes.get(uri)
        self.outcomes[uri] = outcome
        if uri in self._changed or known is None or known.diagnostics != outcome.diagnostics:
            self._publish(outcome)
        self._changed.discard(uri)

    def _give_up(self, job: _Job, fault: str | None) -> None:
        """Ends the process with its job; `fault` is None where it has taken too long."""
        self._job = None
        self._end_process()
        if job.done is not None:
            job.done(None)
        elif fault is not None:
            self._divide(job, codes.INTERNAL_ERROR, fault)
        else:
            reason = f"its check was given up after {self._seconds:g} s"
            self._divide(job, codes.INCOMPLETE_ANALYSIS, reason)

    def _divide(self, job: _Job, code: Code, reason: str) -> None:
        """Checks the documents of a job in smaller groups: first those that have changed, which are
        most likely at fault. A document that is alone is set aside.
        """
        uris = [uri for uri in job.documents if uri in self._documents]
        if self._failed_starts >= _MOST_FAILED_STARTS:
            self._complain("the process that analyses does not start; nothing is checked")
            return
        if len(uris) <= 1:
            for uri in uris:
                self._set_aside(job.documents[uri], code, reason)
            return
        changed = [uri for uri in uris if uri in self._changed]
        rest = [uri for uri in uris if uri not in self._changed]
        if not changed or not rest:
            changed, rest = uris[: len(uris) // 2], uris[len(uris) // 2 :]
        self._groups[:0] = [rest, changed]

    def _set_aside(self, document: Document, code: Code, reason: str) -> None:
        self._apart[document.uri] = document
        self._log(f"{document.path}: {reason}")
        if self._documents[document.uri] is document:
            self._settle(unchecked(document, code, reason))

    def _has_grown(self, process: AnalysisProcess) -> bool:
        """Whether a process occupies more than the open documents need."""
        if process.keeps_programs and process.done < _MOST_JOBS:
            return False
        first, last = process.memory
        text = sum(len(document.text) for document in self._documents.values())
        grown = process.done >= _JOBS and last > first * _GROWTH + _SLACK
        return grown or process.most_text > 2 * text + _FORGOTTEN
