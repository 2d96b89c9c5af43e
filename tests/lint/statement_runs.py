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
    """What a run did: the lines that raised, with the names of the exceptions and their codes, and
    its output.
    """

    raised: dict[int, str]
    output: str
    codes: dict[int, str | None]
    passed: frozenset[int] = frozenset()
    """All lines that an exception passed on its way out."""
    classes: frozenset[str] = frozenset()
    """The names of the classes of the exceptions, and of what those are derived from."""


def run_by_statement(source: str, path: Path) -> Run:
    """Runs every top-level statement, also those after one that raised.

    So one program can show several mistakes. A raised exception counts for the innermost line of
    the program itself; `path` has to hold `source`.
    """
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    raised: dict[int, str] = {}
    codes: dict[int, str | None] = {}
    passed: set[int] = set()
    classes: set[str] = set()
    output = io.StringIO()
    sys.modules[path.stem] = module
    try:
        with contextlib.redirect_stdout(output):
            for statement in ast.parse(source).body:
                code = compile(ast.Module([statement], []), str(path), "exec")
                try:
                    exec(code, module.__dict__)
                except Exception as error:
                    line = _innermost_line(error, str(path))
                    raised[line] = type(error).__name__
                    codes[line] = _code(error)
                    passed.update(_lines(error, str(path)))
                    classes.update(each.__name__ for each in type(error).__mro__)
    finally:
        del sys.modules[path.stem]
    return Run(raised, output.getvalue(), codes, frozenset(passed), frozenset(classes))


def _code(error: BaseException | None) -> str | None:
    """The code of an error of oakum, or of one behind it."""
    while error is not None:
        code = getattr(getattr(error, "code", None), "code", None)
        if isinstance(code, str):
            return code
        error = error.__cause__ or error.__context__
    return None


def _lines(error: Exception, path: str) -> list[int]:
    """The lines of the program that an exception passed, the innermost last."""
    lines: list[int] = []
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            lines.append(traceback.tb_lineno)
        traceback = traceback.tb_next
    return lines


def _innermost_line(error: Exception, path: str) -> int:
    return (_lines(error, path) or [0])[-1]


def marked_lines(source: str, pattern: re.Pattern[str]) -> dict[int, str]:
    """The lines that carry an expectation, with the word that it names."""
    return {
        number: match[1]
        for number, line in enumerate(source.splitlines(), 1)
        if (match := pattern.search(line))
    }
