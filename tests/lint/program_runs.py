"""Runs a random program on the engine: what it raised, what leaked, and which lines ran."""

import ast
import contextlib
import io
import itertools
import sys
import warnings
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any, Final, cast

from oakum_as_jax import oakum_as_jax

import oakum

Place = tuple[int, str | None]
"""A line, and the code of what is there."""


@dataclass(slots=True)
class Outcome:
    """What the engine did with a program."""

    raised: dict[Place, str] = field(default_factory=dict[Place, str])
    """What was raised, with its message."""
    reached: list[frozenset[int]] = field(default_factory=list[frozenset[int]])
    """The lines that began to run, for each statement of the module."""
    leaks: list[tuple[frozenset[int], str]] = field(
        default_factory=list[tuple[frozenset[int], str]]
    )
    """For each statement that ended in a leak: the lines that ran in it, and the message."""

    @property
    def leaked(self) -> frozenset[int]:
        """The lines that ran where something leaked."""
        return frozenset[int]().union(*(lines for lines, _ in self.leaks))


_codes: dict[tuple[int, str], CodeType] = {}
"""Compiled statements of modules, by their first line and their text: few change when a line is
fixed.
"""
_KEPT: Final = 1000
MOST_STEPS: Final = 20_000
"""A program that was made smaller may have lost what ends its loops."""
_CONTINUING: Final = ("else", "elif", "except", "finally")


def _statements(source: str, path: Path) -> Iterator[tuple[int, CodeType]]:
    """The statements of a module, each with the line where it begins."""
    for first, text in _split(source):
        code = _codes.get((first, text))
        if code is None:
            if len(_codes) >= _KEPT:
                _codes.clear()
            tree = ast.parse("\n" * (first - 1) + text)
            _mark(tree)
            code = _codes[first, text] = compile(tree, "", "exec")
        yield first, _in_file(code, str(path))


def _split(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a module's statements, none of which spans lines but for its blocks."""
    first, lines = 1, list[str]()
    for number, line in enumerate(source.splitlines(), 1):
        begins = line[:1].strip() and not line.startswith(_CONTINUING)
        if begins and lines and not lines[-1].startswith("@"):
            yield first, "\n".join(lines)
            first, lines = number, []
        lines.append(line)
    yield first, "\n".join(lines)


def _mark(tree: ast.Module) -> None:
    """Has each statement tell that it is reached."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            items: object = getattr(node, name, None)
            if not isinstance(items, list):
                continue
            inner = cast("list[ast.AST]", items)
            waiting += inner
            if inner and isinstance(inner[0], ast.stmt):
                statements = cast("list[ast.stmt]", inner)
                setattr(node, name, [each for s in statements for each in (_reached(s), s)])


def _reached(statement: ast.stmt) -> ast.stmt:
    line = ast.Constant(statement.lineno)
    call = ast.Call(ast.Name("__reached__", ast.Load()), [line], [])
    marking = ast.Expr(call)
    for node in (marking, call, call.func, line):
        ast.copy_location(node, statement)
    return marking


def _in_file(code: CodeType, path: str) -> CodeType:
    parts = (_in_file(c, path) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=path, co_consts=tuple(parts))


@contextlib.contextmanager
def running() -> Generator[None]:
    """Has `run` find the engine as programs need it: under the name of JAX, and looking for leaks.

    Programs are evaluated, not compiled: what they raise and leak is the same.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(oakum_as_jax())
        stack.enter_context(oakum.checking_leaks())
        stack.enter_context(oakum.config.compile_programs(False))
        yield


def run(source: str, path: Path, names: Mapping[str, Any] | None = None) -> Outcome:
    """Runs each statement of a program, also those after one that raised; it finds `names`."""
    outcome = Outcome()
    module = ModuleType(path.stem)
    reached: set[int] = set()
    steps = itertools.count()

    def note(line: int) -> None:
        reached.add(line)
        if next(steps) > MOST_STEPS:
            raise RuntimeError("the program does not end")

    module.__dict__.update(names or {}, __reached__=note)
    sys.modules[path.stem] = module
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for line, code in _statements(source, path):
                reached.clear()
                reached.add(line)
                try:
                    exec(code, module.__dict__)
                except oakum.errors.LeakedTracerError as error:
                    outcome.leaks.append((frozenset(reached), str(error)))
                except Exception as error:
                    line = _innermost_line(error.__traceback__, str(path))
                    message = f"{type(error).__name__}: {error}"
                    outcome.raised.setdefault((line, _code(error, str(path))), message)
                outcome.reached.append(frozenset(reached))
    finally:
        del sys.modules[path.stem]
    return outcome


def _code(error: BaseException, path: str) -> str | None:
    """The code of an error, or of what it was made of at the same line."""
    line = _innermost_line(error.__traceback__, path)
    cause: BaseException | None = error
    while cause is not None:
        code = getattr(getattr(cause, "code", None), "code", None)
        if isinstance(code, str):
            return code
        cause = cause.__cause__ or cause.__context__
        if cause is not None and _innermost_line(cause.__traceback__, path) not in (0, line):
            return None
    return None


def _innermost_line(traceback: TracebackType | None, path: str) -> int:
    line = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
