"""A pytest plugin for `lint_mutants`: it notes which statements of the linter each test runs, or
runs those tests alone that a file lists, in its order.

The statements are counted by the copy of the linter itself: `instrument` puts a mark before each
one, in an array that is emptied before each test. It costs some percent, where a trace function
would take several times as long. What another process runs for a test is written when that ends.
"""

import ast
import json
import os
import time
import uuid
import zlib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from lint_mutant_sites import statements_of

RECORD = "OAKUM_MUTANTS_RECORD"
"""The folder into which is written what each test runs."""
SELECT = "OAKUM_MUTANTS_SELECT"
"""The file that lists the tests to run."""
TESTER = "OAKUM_MUTANTS_TESTER"
"""The process that runs the tests and writes their marks itself."""
MARKS = "oakum_lint/_marks.py"
_MARKS_SOURCE = """\
import atexit
import os
import uuid
import zlib
from pathlib import Path

MARKS = bytearray({count})


def _write():
    folder, test = os.environ.get("{record}"), os.environ.get("PYTEST_CURRENT_TEST")
    if folder and test and os.environ.get("{tester}") != str(os.getpid()):
        # A test may kill its child while it writes.
        part = Path(folder) / f"{{uuid.uuid4().hex}}.part"
        part.write_bytes(test.rpartition(" ")[0].encode() + b"\\n" + zlib.compress(MARKS, 1))
        part.replace(part.with_suffix(".child"))


def _write_and_exit(status):
    _write()
    _exit(status)


atexit.register(_write)
# The command ends so, where `atexit` is not asked.
_exit, os._exit = os._exit, _write_and_exit
"""


def instrument(folder: Path) -> dict[str, dict[int, int]]:
    """Puts marks into all modules of a folder; returns their numbers by module and line."""
    numbers: dict[str, dict[int, int]] = {}
    count = 0
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        lines = numbers[str(path.relative_to(folder))] = {}
        marks: dict[int, int] = {}
        for statement in statements_of(tree):
            marks[id(statement)] = lines[statement.lineno] = count
            count += 1
        for node in ast.walk(tree):
            for name in ("body", "orelse", "finalbody"):
                body: list[ast.stmt] | ast.expr | None = getattr(node, name, None)
                if isinstance(body, list):
                    setattr(node, name, [*_marked(body, marks)])
        start = 1 if ast.get_docstring(tree) is not None else 0
        start += sum(_is_future(statement) for statement in tree.body)
        tree.body.insert(
            start, ast.parse("from oakum_lint._marks import MARKS as __marks__").body[0]
        )
        path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
    marks_source = _MARKS_SOURCE.format(count=count, record=RECORD, tester=TESTER)
    (folder.parent / MARKS).write_text(marks_source, encoding="utf-8")
    return numbers


def _marked(body: list[ast.stmt], marks: dict[int, int]) -> Iterator[ast.stmt]:
    """Yields the statements of a body, each behind its mark."""
    for number, statement in enumerate(body):
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        scope = isinstance(statement, ast.Global | ast.Nonlocal)
        if (
            id(statement) in marks
            and not (text and number == 0)
            and not _is_future(statement)
            and not scope
        ):
            yield ast.parse(f"__marks__[{marks[id(statement)]}] = 1").body[0]
        yield statement


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


class _Recorder:
    """Writes what each test runs, and how long it takes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._marks: bytearray = import_module("oakum_lint._marks").MARKS
        os.environ[TESTER] = str(os.getpid())

    def _write(self, name: str, seconds: float) -> None:
        head = json.dumps([name, seconds]).encode()
        (self._folder / f"{uuid.uuid4().hex}.test").write_bytes(
            head + b"\n" + zlib.compress(self._marks, 1)
        )

    def pytest_collection_finish(self) -> None:
        """Notes what importing runs."""
        self._write("", 0.0)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Notes what a test runs."""
        self._marks[:] = bytes(len(self._marks))
        begin = time.perf_counter()
        yield
        self._write(item.nodeid, time.perf_counter() - begin)


class _Selection:
    """Runs the listed tests alone."""

    def __init__(self, file: Path) -> None:
        names = json.loads(file.read_text(encoding="utf-8"))
        self._order = {name: number for number, name in enumerate(names)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drops all other tests, and puts those that are left in order."""
        kept = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(kept, key=lambda item: self._order[item.nodeid])


def pytest_configure(config: pytest.Config) -> None:
    """Adds what the environment asks for."""
    is_worker = hasattr(config, "workerinput") or config.getoption("numprocesses", 0) in (0, None)
    if (folder := os.environ.get(RECORD)) and is_worker:
        config.pluginmanager.register(_Recorder(Path(folder)))
    if file := os.environ.get(SELECT):
        config.pluginmanager.register(_Selection(Path(file)))
