"""Runs a program one top-level statement at a time, and tells what each statement raised."""

import ast
import contextlib
import io
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

EXPECTED_FINDING = re.compile(r"#! (?P<code>OAK\d{3})(?: (?P<column>\d+))?")
EXPECTED_ERROR = re.compile(r"#~ (?P<name>\w+)")


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did: the lines that raised, with the names of the exceptions, and its output."""

    raised: dict[int, str]
    output: str


def run_by_statement(source: str, path: Path) -> Run:
    """Runs every top-level statement, also those after one that raised.

    So one program can show several mistakes. A raised exception counts for the innermost line of
    the program itself; `path` has to hold `source`.
    """
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    raised: dict[int, str] = {}
    output = io.StringIO()
    sys.modules[path.stem] = module
    try:
        with contextlib.redirect_stdout(output):
            for statement in ast.parse(source).body:
                code = compile(ast.Module([statement], []), str(path), "exec")
                try:
                    exec(code, module.__dict__)
                except Exception as error:
                    raised[_innermost_line(error, str(path))] = type(error).__name__
    finally:
        del sys.modules[path.stem]
    return Run(raised, output.getvalue())


def _innermost_line(error: Exception, path: str) -> int:
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def marked_lines(source: str, pattern: re.Pattern[str]) -> dict[int, str]:
    """The lines that carry an expectation, with the word that it names."""
    return {
        number: match[1]
        for number, line in enumerate(source.splitlines(), 1)
        if (match := pattern.search(line))
    }
