"""The files of a profile, where TensorBoard and Perfetto look for them.

    LOG_DIR/plugins/profile/2026_11_28_19_04_05/HOST.trace.json.gz
    LOG_DIR/plugins/profile/2026_11_28_19_04_05/HOST.xplane.pb

The first is in Chrome's format of trace events, which Perfetto and `chrome://tracing` open; of the
second TensorBoard's profile plugin makes its pages.
"""

from __future__ import annotations

import gzip
import http.server
import json
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from oakum.api import xspace
from oakum.tracing.profile_spans import Recording
from oakum.version import __version__

PERFETTO: Final = "perfetto_trace.json.gz"
_PORT: Final = 9001
"""The port that ui.perfetto.dev may load files from."""


def write(recording: Recording, directory: str | os.PathLike[str]) -> Path:
    """Writes a profile below a directory of logs; returns the folder of this run."""
    host = platform.node() or "localhost"
    run = time.strftime("%Y_%m_%d_%H_%M_%S", time.localtime(recording.begun_at / 1e9))
    folder = _new(Path(directory, "plugins", "profile", run))
    _write_events(folder / f"{host}.trace.json.gz", recording)
    (folder / f"{host}.xplane.pb").write_bytes(xspace.encode(recording, host))
    return folder


def write_perfetto(recording: Recording, folder: Path) -> Path:
    """Writes the file of Perfetto beside the others, under a name without the host's."""
    path = folder / PERFETTO
    _write_events(path, recording)
    return path


def _new(folder: Path) -> Path:
    """Makes a folder; two profiles of one second get two."""
    for number in range(1, 1000):
        found = folder if number == 1 else folder.with_name(f"{folder.name}_{number}")
        try:
            found.mkdir(parents=True)
        except FileExistsError:
            continue
        return found
    raise FileExistsError(folder)


def _write_events(path: Path, recording: Recording) -> None:
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as file:
        file.write('{"displayTimeUnit": "ns", "traceEvents": [\n')
        file.writelines(f"{json.dumps(event)},\n" for event in _events(recording))
        # The format lets a comma stand behind the last event, other readers of JSON do not.
        file.write('{"ph": "M", "name": "process_sort_index", "pid": 1, "args": {"sort_index": 0}}')
        file.write("\n]}\n")


def _events(recording: Recording) -> Iterator[dict[str, Any]]:
    """Yields the names of the process and of its threads, then the spans; times are microseconds
    since the beginning.
    """
    labels = f"oakum {__version__}"
    if recording.left_out:
        labels += f", {recording.left_out} more events are not shown"
    yield {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": xspace.PLANE}}
    yield {"ph": "M", "pid": 1, "name": "process_labels", "args": {"labels": labels}}
    numbers = {thread: number for number, thread in enumerate(recording.threads, 1)}
    for thread, number in numbers.items():
        args = {"name": recording.threads[thread]}
        yield {"ph": "M", "pid": 1, "tid": number, "name": "thread_name", "args": args}
    for span in sorted(recording.spans, key=lambda span: (span.begin, -span.end)):
        yield {
            "ph": "X",
            "pid": 1,
            "tid": numbers[span.thread],
            "ts": (span.begin - recording.begun) * 1e6,
            "dur": (span.end - span.begin) * 1e6,
            "name": span.name,
            "cat": span.kind,
            "args": span.arguments,
        }


def serve(path: Path) -> None:
    """Prints a link to Perfetto with a file, and waits until it has been loaded from there."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == f"/{path.name}"
            self.send_response(200 if found else 404)
            self.send_header("Access-Control-Allow-Origin", "https://ui.perfetto.dev")
            self.send_header("Content-Type", "application/gzip")
            self.end_headers()
            if found:
                self.wfile.write(path.read_bytes())
                loaded.append(self.path)

        def log_message(self, format: str, *args: object) -> None:
            pass

    loaded: list[str] = []
    with http.server.HTTPServer(("127.0.0.1", _PORT), Handler) as server:
        print(f"Open https://ui.perfetto.dev/#!/?url=http://127.0.0.1:{_PORT}/{path.name}")
        while not loaded:
            server.handle_request()
