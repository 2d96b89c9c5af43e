"""Runs a random program on the engine: what it raised, what leaked, and which lines ran."""

import ast
import contextlib
import io
import sys
import warnings
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import cast

from oakum_as_jax import oakum_as_jax
from program_strategies import HEAD_LINES

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


class _Marking(ast.NodeTransformer):
    """Has each statement tell that it is reached."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            body: object = getattr(node, name, None)
            if not isinstance(body, list):
                continue
            items = cast("list[ast.AST]", body)
            marked: list[ast.AST] = []
            for item in items:
                if isinstance(item, ast.stmt):
                    marked.append(_reached(item))
                marked.append(self.visit(item))
            setattr(node, name, marked)
        return node


def _reached(statement: ast.stmt) -> ast.stmt:
    call = ast.Call(ast.Name("__reached__", ast.Load()), [ast.Constant(statement.lineno)], [])
    return ast.fix_missing_locations(ast.copy_location(ast.Expr(call), statement))


_codes: dict[tuple[int, str], CodeType] = {}
"""Compiled statements, by their first line and their text: most stand in many programs."""


def _statements(source: str, path: Path) -> Iterator[tuple[int, CodeType]]:
    lines = source.splitlines()
    for statement in ast.parse(source).body:
        first = min(
            [statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))]
        )
        key = first, "\n".join(lines[first - 1 : statement.end_lineno])
        if key not in _codes:
            marked = ast.Module([_Marking().visit(statement)], [])
            if first > HEAD_LINES:
                yield statement.lineno, compile(marked, str(path), "exec")
                continue
            _codes[key] = compile(marked, "", "exec")
        yield statement.lineno, _in_file(_codes[key], str(path))


def _in_file(code: CodeType, path: str) -> CodeType:
    parts = (_in_file(c, path) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=path, co_consts=tuple(parts))


@contextlib.contextmanager
def _quiet() -> Generator[None]:
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        stack.enter_context(oakum_as_jax())
        stack.enter_context(oakum.checking_leaks())
        yield


def run(source: str, path: Path) -> Outcome:
    """Runs each statement of a program, also those after one that raised."""
    outcome = Outcome()
    module = ModuleType(path.stem)
    reached: set[int] = set()
    module.__dict__["__reached__"] = reached.add
    sys.modules[path.stem] = module
    try:
        with _quiet():
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
                    outcome.raised.setdefault((line, _code(error)), message)
                outcome.reached.append(frozenset(reached))
    finally:
        del sys.modules[path.stem]
    return outcome


def _code(error: BaseException | None) -> str | None:
    while error is not None:
        code = getattr(getattr(error, "code", None), "code", None)
        if isinstance(code, str):
            return code
        error = error.__cause__ or error.__context__
    return None


def _innermost_line(traceback: TracebackType | None, path: str) -> int:
    line = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
