"""The process that analyses: it holds the texts of the open documents and checks them when asked.

It is a process of its own so that the server can abandon an analysis that takes too long or too
much, and so that memory goes back when it is replaced. Its standard input and output carry frames,
whose bodies are JSON.

Invariants:
- Each job has one answer, also if it fails: then the reason, in one line. What was found comes
  before it, one frame for each document.
- It ends when the server does: its standard input is closed then, even during a job.
"""

import importlib
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypedDict, cast

from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.live.last_programs import LastPrograms
from oakum_lint.app.live.live_parts import LiveParts
from oakum_lint.text.source import real_path
from oakum_lsp.features.actions import fix_all, fix_chosen
from oakum_lsp.features.code_lenses import code_lenses
from oakum_lsp.features.diagnostics import (
    check_documents,
    check_with_project,
    check_workspace,
)
from oakum_lsp.features.hover import hover
from oakum_lsp.features.inlay_hints import inlay_hints
from oakum_lsp.features.notes import notes_of
from oakum_lsp.features.opened import Text, opened
from oakum_lsp.features.semantic_tokens import semantic_tokens
from oakum_lsp.framing import Body, Reader, write
from oakum_lsp.messages import compact_json
from oakum_lsp.protocol import Marked, Position

_BEAT = 0.25
"""Seconds between two reports of how much CPU time a job has taken."""


class Asked(TypedDict):
    """A question about the document `uri`; a hover is at a place in it, chosen fixes are those of
    some findings.
    """

    uri: str
    kind: Literal["fixes", "chosen fixes", "hover", "inlay hints", "code lenses", "tokens"]
    place: Position | None
    findings: list[Marked]


class Job(TypedDict):
    """What the server asks for.

    `opened` are the path and the text of each document that is new or has changed since the last
    job, and of a cell the URI of its notebook and its number; `closed` those that are gone. With
    `asked` a question about one document is answered, without it the documents `check` are checked:
    by themselves, or where `roots` holds the root of each, with its project around it. With
    `workspace` all files below these folders are checked.
    """

    id: int
    encoding: str
    opened: dict[str, tuple[str, str, tuple[str, int] | None]]
    closed: list[str]
    check: list[str]
    asked: Asked | None
    roots: dict[str, str]
    workspace: list[str]


class Found(TypedDict):
    """What was found in a document, or in a file that is not open, as texts of JSON: the
    diagnostics, and the offers of fixes.

    The server sends the diagnostics on as they are. When it read the answers of 500 documents with
    five findings each as objects, it went from 15 MB to 41, and kept 17 of them when all documents
    were closed.
    """

    id: int
    uri: str
    diagnostics: str
    offers: str


class Answer(TypedDict):
    """What comes of a job; `result` answers its question as the protocol has it.

    `refusal` is a mistake in the user's configuration, `failure` a fault of ours; `keeps_programs`
    says that some text is no Python and is analysed as it was last, which no other process knows.
    """

    id: int
    result: object
    refusal: str | None
    failure: str | None
    memory: int
    keeps_programs: bool


class Beat(TypedDict):
    """The CPU seconds that a job has taken so far; that of no job, 0, says that it is ready."""

    id: int
    seconds: float


Report = Found | Answer | Beat


class _Worker:
    def __init__(self, send: Callable[[Report], None]) -> None:
        self._send = send
        self._texts: dict[str, Text] = {}
        self._programs = LastPrograms()
        self._live = LiveParts(recalls=True)
        self._is_outdated = False
        """Whether the analyses that are alive are not of the texts as they are now."""
        self._encoding = ""
        """That of the last job."""

    def do(self, job: Job) -> Answer:
        answer: Answer = {
            "id": job["id"],
            "result": None,
            "refusal": None,
            "failure": None,
            "memory": 0,
            "keeps_programs": False,
        }
        try:
            self._update(job)
            asked = job["asked"]
            if asked is None:
                self._check(job)
            elif asked["kind"] == "fixes":
                answer["result"] = fix_all(opened(self._texts), asked["uri"], job["encoding"])
            elif asked["kind"] == "chosen fixes":
                answer["result"] = fix_chosen(
                    opened(self._texts), asked["uri"], asked["findings"], job["encoding"]
                )
            else:
                answer["result"] = self._show(asked, job["encoding"])
        except ConfigurationError as error:
            answer["refusal"] = str(error)
        except Exception as error:  # the next job is done all the same
            answer["failure"] = describe(error)
        answer["memory"] = resident_memory()
        answer["keeps_programs"] = self._programs.hold_others()
        return answer

    def _show(self, asked: Asked, encoding: str) -> object:
        """What the analysis of the texts as they are now has noted of one of them."""
        if self._is_outdated or self._live.recalled:
            self._analyse([*self._texts], encoding)
            self._is_outdated = False
        noted = notes_of(self._live, self._programs, self._texts, asked["uri"], encoding)
        match asked["kind"]:
            case "inlay hints":
                return inlay_hints(noted)
            case "code lenses":
                return code_lenses(noted)
            case "tokens":
                return semantic_tokens(noted)
            case _:
                if asked["place"] is None:
                    return None
                kept = self._live.calls_in(real_path(Path(self._texts[asked["uri"]].path)))
                return hover(noted, asked["place"], kept)

    def _analyse(self, uris: Sequence[str], encoding: str) -> None:
        """Analyses documents for what the analysis notes: what is found is asked for by itself."""
        self._live.recalls = False
        for _ in check_documents(self._texts, uris, encoding, self._programs, self._live):
            pass
        self._live.recalled.clear()

    def prepare(self) -> None:
        """Makes ready, while nobody waits: the analyses that the next keystroke goes on from, and
        what the next start can recall.
        """
        if self._live.recalled:
            # Documents that took too long are not tried again.
            known = self._live.known_files()
            uris = [uri for uri, text in self._texts.items() if Path(text.path) in known]
            self._analyse(uris, self._encoding)
        self._live.recalls = False
        self._live.store()

    def _update(self, job: Job) -> None:
        self._encoding = job["encoding"]
        for uri, (path, text, cell) in job["opened"].items():
            self._texts[uri] = Text(path, text, None if cell is None else (cell[0], cell[1]))
        for uri in job["closed"]:
            self._texts.pop(uri, None)
        if job["opened"] or job["closed"]:
            self._is_outdated = True

    def _check(self, job: Job) -> None:
        texts, uris, roots = self._texts, job["check"], job["roots"]
        if job["workspace"]:
            checked = check_workspace(texts, job["workspace"], job["encoding"])
        elif roots:
            checked = check_with_project(
                texts, uris, roots, job["encoding"], self._programs, self._live.cache
            )
        else:
            checked = check_documents(texts, uris, job["encoding"], self._programs, self._live)
            self._is_outdated = len(uris) < len(texts)
        for uri, diagnostics, offers in checked:
            found: Found = {
                "id": job["id"],
                "uri": uri,
                "diagnostics": compact_json(diagnostics),
                "offers": compact_json(offers),
            }
            self._send(found)


def describe(error: BaseException) -> str:
    """A fault in one line: what it is, and the innermost of our lines."""
    where = "an unknown line"
    trace = error.__traceback__
    while trace is not None:
        where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__} at {where}: {text}"


def resident_memory() -> int:
    """The bytes of memory that this process occupies; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


class _Beats:
    """Reports the CPU time of the job that runs."""

    def __init__(self, descriptor: int, lock: threading.Lock) -> None:
        self._descriptor = descriptor
        self._lock = lock
        self.job: tuple[int, float] | None = None
        """The job's number, and the CPU time at which it began."""

    def run(self) -> None:
        while True:
            time.sleep(_BEAT)
            with self._lock:
                if self.job is not None:
                    number, start = self.job
                    _send(self._descriptor, Beat(id=number, seconds=time.process_time() - start))


def _send(descriptor: int, message: Report) -> None:
    try:
        write(descriptor, compact_json(message).encode("ascii"))
    except OSError:  # the server is gone
        os._exit(0)


def run(niceness: int) -> None:
    """Does jobs until standard input is closed; gives way to other processes by `niceness`."""
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    # At a terminal the server ends by it, and this process with the server.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a library prints must not come between the frames.
    output = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()

    def read() -> None:
        for event in Reader(0).events():
            if isinstance(event, Body):
                jobs.put(cast("Job", json.loads(event.data)))
        # A job that is running has nobody left to work for.
        os._exit(0)

    lock = threading.Lock()
    beats = _Beats(output, lock)
    threading.Thread(target=read, daemon=True).start()
    threading.Thread(target=beats.run, daemon=True).start()

    def send(message: Report) -> None:
        with lock:
            _send(output, message)

    worker = _Worker(send)
    _load("oakum_lint.driver")
    send(Beat(id=0, seconds=0.0))
    while True:
        job = jobs.get()
        with lock:
            beats.job = (job["id"], time.process_time())
        answer = worker.do(job)
        with lock:
            beats.job = None
            _send(output, answer)
        if jobs.empty():
            _load("oakum_lint.syntax.lowering")
            worker.prepare()


def _load(module: str) -> None:
    """Imports what the next job needs, while nobody waits: what analyses before the first one, and
    what parses after it. A first check takes units from packs, a keystroke would wait 350 ms.
    """
    importlib.import_module(module)
