"""`oakum check --watch`: checks again whenever a file changes that may matter, until Ctrl-C.

Each check is a process of its own, with the same options: it reads the configuration again, nothing
of earlier ones stays in memory, and what has not changed is answered from the project's index.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final, NoReturn

from oakum_lint.app.config import ConfigurationError, load
from oakum_lint.app.discover import discover
from oakum_lint.app.project_context import find_root

_PERIOD: Final = 0.5
"""Seconds between two looks at the files: one at those of flax and optax takes milliseconds."""

_PROGRAM: Final = (
    "import sys; n = int(sys.argv[1]); sys.path[:] = sys.argv[2:n + 2]; del sys.argv[1:n + 2]; "
    "from oakum_lint.app.cli import command; command()"
)
"""What runs this very oakum, whatever lies in the working directory."""

_CONFIGURING: Final = ("pyproject.toml", "setup.cfg", "setup.py", ".gitignore")

State = dict[str, tuple[int, int] | None]
"""Files, each with its time and size; None for one that cannot be asked."""


def run(options: argparse.Namespace) -> NoReturn:
    """Checks, and checks again after each change."""
    for path in options.paths:
        if path == "-":
            raise ConfigurationError("--watch looks at files, not at standard input")
        if not os.path.lexists(path):
            raise ConfigurationError(f"no such file or directory: {path}")
    arguments = [each for each in sys.argv[1:] if each != "--watch"]
    while True:
        before = _state(options.paths)
        if sys.stdout.isatty():
            print("\x1b[2J\x1b[H", end="", flush=True)
        _check(arguments)
        print("oakum: waiting for changes (Ctrl-C ends)", file=sys.stderr, flush=True)
        while _state(options.paths) == before:
            time.sleep(_PERIOD)


def _check(arguments: Sequence[str]) -> None:
    program = [sys.executable, "-P", "-c", _PROGRAM, str(len(sys.path)), *sys.path, *arguments]
    with subprocess.Popen(program) as process:
        try:
            process.wait()
        except BaseException:  # the signal is for both; the check may not have heard of it
            process.kill()
            raise


def _state(paths: Sequence[str]) -> State:
    """What says whether anything has changed: the Python files of the projects that the paths lie
    in, and what configures these.
    """
    files: dict[str, None] = {}
    for path in paths:
        root = find_root(path)
        for place in (path, *([root] if root is not None else ())):
            try:
                settings = load([place])
            except ConfigurationError:  # the check says so
                continue
            files.update(dict.fromkeys(discover([place], settings).files))
            folder = place if os.path.isdir(place) else os.path.dirname(os.path.abspath(place))
            files.update(dict.fromkeys(os.path.join(folder, name) for name in _CONFIGURING))
    return {file: _stamp(file) for file in files}


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
