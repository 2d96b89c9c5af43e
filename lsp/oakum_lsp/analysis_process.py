"""The server's side of a process that analyses: starts it, sends it jobs, ends it.

Invariants:
- Nothing of the directory that the server was started in is imported by the process.
- A process sends what comes of its jobs, and once `None` when it has ended, to one queue.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from oakum_lsp.documents import Document
from oakum_lsp.framing import Body, Reader, write

if TYPE_CHECKING:
    from oakum_lsp.analysis_worker import Asked, Job, Report

WALL: Final = 6.0
"""So many times as long as its CPU time a job may take by the clock: where the machine is busy, or
where it waits without computing."""

_PROGRAM: Final = (
    "import sys; sys.path += sys.argv[2:]; from oakum_lsp.analysis_worker import run; "
    "run(int(sys.argv[1]))"
)


_NICENESS: Final = 10
"""By so much a background process gives way to others."""


def _homes() -> list[str]:
    """The folders that our packages were imported from."""
    import oakum
    import oakum_lint

    files = (oakum.__file__, oakum_lint.__file__, __file__)
    return list(dict.fromkeys(os.path.dirname(os.path.dirname(os.path.abspath(f))) for f in files))


class AnalysisProcess:
    """A process that holds the texts of documents and checks them."""

    def __init__(
        self,
        report: "Callable[[AnalysisProcess, Report | None], None]",
        *,
        is_background: bool = False,
    ) -> None:
        self._report = report
        self._known: dict[str, Document] = {}
        self.is_ready = False
        self.done = 0
        """How many jobs it has done."""
        self.keeps_programs = False
        """Whether it analyses a text that is no Python as it was last."""
        self.memory: tuple[int, int] = (0, 0)
        """What it occupied after its first and after its last job, in bytes."""
        self.most_text = 0
        """The characters of the largest texts that it got together."""
        # Not the folder that the server runs in: a project may have a `json.py`.
        flag = "-I" if sys.flags.isolated else "-P"
        niceness = str(_NICENESS if is_background else 0)
        # On Windows, where a process cannot ask for it itself.
        flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0) if is_background else 0
        self._process = subprocess.Popen(
            [sys.executable, flag, "-c", _PROGRAM, niceness, *_homes()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            creationflags=flags,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        for event in Reader(stream.fileno()).events():
            if isinstance(event, Body):
                self._report(self, cast("Report", json.loads(event.data)))
        stream.close()
        self._report(self, None)

    def give(
        self,
        job: int,
        encoding: str,
        documents: Mapping[str, Document],
        check: list[str],
        asked: "Asked | None",
        roots: Mapping[str, str] | None = None,
        workspace: Sequence[str] = (),
    ) -> None:
        """Sends it a job, with the texts of the documents that it does not have yet."""
        opened = {
            uri: (
                each.path,
                each.text,
                None if (c := each.cell) is None else (c.notebook, c.number),
            )
            for uri, each in documents.items()
            if self._known.get(uri) is not each
        }
        message: Job = {
            "id": job,
            "encoding": encoding,
            "opened": opened,
            "closed": [uri for uri in self._known if uri not in documents],
            "check": check,
            "asked": asked,
            "roots": dict(roots or {}),
            "workspace": list(workspace),
        }
        self._known = dict(documents)
        self.most_text = max(self.most_text, sum(len(d.text) for d in documents.values()))
        stream = self._process.stdin
        assert stream is not None
        try:
            write(stream.fileno(), json.dumps(message).encode("ascii"))
        except OSError:  # it has ended, which its reader reports
            return

    def end(self) -> None:
        """Ends it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
