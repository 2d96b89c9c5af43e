"""`oakum run`: runs a program as Python does, with the checks of the engine on, and reports at its
end what they found and what became of the findings of the analysis.

The program runs in a process of its own, started as `python script.py` would: its output,
arguments, exit status, `__main__` and tracebacks are those that it has without oakum. The engine
writes down what it finds (`OAKUM_REPORT_TO`), and the program goes on.

Exit status: that of the program where it is not 0 (128 and more where a signal ended it), else that
of `check`: 1 where something proved was found, 2 where not all was analysed.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from oakum.interop import STARTUP_FOLDER
from oakum_lint.app import run_records, runner
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.commands.check import check_output, settings_of
from oakum_lint.app.commands.output import emit
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import CLEAN, FAILED, FOUND
from oakum_lint.app.report import render
from oakum_lint.app.report.wording import not_all_analysed
from oakum_lint.app.settings import RUN_CHECKS, Settings

_OPTIONS = {
    "leaks": "OAKUM_CHECK_TRACER_LEAKS",
    "keys": "OAKUM_DEBUG_KEY_REUSE",
    "nans": "OAKUM_DEBUG_NANS",
    "infs": "OAKUM_DEBUG_INFS",
}
"""The engine's options of the checks, as its environment has them."""
_BY_SIGNAL = 128
"""Shells add the number of the signal that ended a program."""


_UNCAUGHT = 1
"""Python's exit status for an exception that nobody has caught."""


def run(options: argparse.Namespace) -> int:
    """Runs the program of the command line."""
    checks = _checks(options.checks)
    target: str = options.target
    if not options.is_module and not os.path.exists(target):
        raise ConfigurationError(f"no such file or directory: {target}")
    options.paths = [path] if (path := _file_of(target, options.is_module)) else []
    if options.output_file is not None:
        check_output(options.output_file, options.paths)
    settings = settings_of(options)
    with tempfile.TemporaryDirectory(prefix="oakum-run-") as folder:
        report = os.path.join(folder, "records")
        environment = {**os.environ, "OAKUM_REPORT_TO": report}
        environment |= {_OPTIONS[check]: "1" for check in checks}
        if options.engine == "oakum":
            environment["PYTHONPATH"] = _before(STARTUP_FOLDER, environment.get("PYTHONPATH"))
        mode = ["-m"] if options.is_module else []
        status = _run([sys.executable, *mode, target, *options.arguments], environment)
        seen = run_records.Run((), frozenset())
        if os.path.exists(report):
            seen = run_records.read(report)
    result = CheckResult()
    if options.paths and not options.no_static:
        result = runner.check_paths(options.paths, settings, project=options.project, keep=True)
    run_records.merge(result, seen, has_failed=status == _UNCAUGHT)
    _write(result, settings, options.output_file)
    if status != 0:
        return status
    if result.failures:
        return FAILED
    return FOUND if result.fails(settings) and not options.exit_zero else CLEAN


def _checks(text: str) -> Sequence[str]:
    found = [word.strip() for word in text.split(",") if word.strip()]
    for word in found:
        if word not in RUN_CHECKS:
            raise ConfigurationError(
                f"--checks {word}: there is no such check; there are {', '.join(RUN_CHECKS)}"
            )
    return found


def _before(folder: str, path: str | None) -> str:
    return os.pathsep.join((folder, path) if path else (folder,))


def _file_of(target: str, is_module: bool) -> str:
    """The file that runs, from the working directory; "" for a module that lies elsewhere."""
    if not is_module:
        return target if os.path.isfile(target) else ""
    path = target.replace(".", os.sep)
    return next(filter(os.path.isfile, (f"{path}.py", os.path.join(path, "__main__.py"))), "")


def _run(command: Sequence[str], environment: dict[str, str]) -> int:
    """Runs a program to its end; its exit status, as a shell has it."""
    # Who waits in a shell interrupts both processes: the program decides what comes of it. A
    # handler, unlike SIG_IGN, is not inherited.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        with subprocess.Popen(command, env=environment) as process:
            ended = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
            try:
                status = process.wait()
            finally:
                signal.signal(signal.SIGTERM, ended)
    finally:
        signal.signal(signal.SIGINT, before)
    return _BY_SIGNAL - status if status < 0 else status


def _write(result: CheckResult, settings: Settings, output_file: str | None) -> None:
    """Writes the report to standard error: standard output is the program's."""
    text = render(result, settings.output_format)
    if output_file is not None:
        try:
            with open(output_file, "w", encoding="utf-8", errors="backslashreplace") as out:
                out.write(text)
        except OSError as error:
            raise ConfigurationError(f"{output_file}: {error.strerror}") from None
        return
    emit(text, sys.stderr)
    if result.incomplete and settings.output_format not in ("full", "concise"):
        print(f"oakum: {not_all_analysed(result)}", file=sys.stderr)
