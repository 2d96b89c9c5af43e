"""Runs a program and notes what each of its expressions gives: the other side of the analysis.

The text of the program's files is compiled with each expression `e` as `__seen__(place, e)`, which
returns `e`; nothing else of the program changes. What was seen is described at that moment, since
lists and objects change.
"""

import ast
import builtins
import collections
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np
from value_patterns import (
    Home,
    Seen,
    SeenArray,
    SeenMapping,
    SeenObject,
    SeenScalar,
    SeenSequence,
    shown_number,
)

Span = tuple[str, int, int, int, int]
"""A file, and the first and last line and column of an expression, columns in characters from 1."""
HOOK = "__seen__"
DEEPEST = 3
MOST = 16
"""So many elements of a container are described."""
MOST_VALUES = 64
"""So many different values of one expression are kept."""


_SEQUENCES = (
    tuple,
    list,
    frozenset,
    set,
    collections.deque,
    range,
    type({}.keys()),
    type({}.values()),
    type({}.items()),
)


@dataclass(slots=True)
class Record:
    """What a run has shown, and how it ended."""

    seen: dict[Span, dict[Seen, None]] = field(default_factory=dict[Span, dict[Seen, None]])
    error: BaseException | None = None


class _Instrumented(ast.NodeTransformer):
    """Puts the hook on expressions. What is no value of the running program is left as it is:
    targets, annotations, patterns, and the pieces of formatted texts.
    """

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._lines = text.splitlines()

    def visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.AnnAssign():
                if node.value is not None:
                    node.value = cast("ast.expr", self.visit(node.value))
                return node
            case ast.arg() | ast.pattern():
                return node
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                returns, node.returns = node.returns, None
                self.generic_visit(node)
                node.returns = returns
                return node
            case ast.FormattedValue():
                node.value = cast("ast.expr", self.visit(node.value))
                return node
            case ast.expr():
                self.generic_visit(node)
                return self._hooked(node) if _gives_a_value(node) else node
            case _:
                return self.generic_visit(node)

    def _hooked(self, node: ast.expr) -> ast.expr:
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        span = (
            self._file,
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, end),
        )
        hook = ast.Name(HOOK, ast.Load())
        constants = [ast.Constant(part) for part in span]
        place = ast.Tuple(cast("list[ast.expr]", constants), ast.Load())
        call = ast.Call(hook, [place, node], [])
        for made in (hook, place, call, *constants):
            ast.copy_location(made, node)
        return call

    def _column(self, line: int, offset: int) -> int:
        text = self._lines[line - 1].encode()
        return len(text[:offset].decode(errors="replace")) + 1


def _gives_a_value(node: ast.expr) -> bool:
    if isinstance(
        node, ast.Constant | ast.Starred | ast.Slice | ast.JoinedStr | ast.FormattedValue
    ):
        return False
    if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts):
        return False
    return not isinstance(getattr(node, "ctx", ast.Load()), ast.Store | ast.Del)


def instrumented(path: Path) -> CodeType:
    """Returns the code of a file with the hook on its expressions."""
    text = path.read_text(encoding="utf-8")
    tree = _Instrumented(str(path), text).visit(ast.parse(text, str(path)))
    return compile(tree, str(path), "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the modules of the program with the hook."""

    def __init__(self, files: Iterable[Path]) -> None:
        self._files = {str(file) for file in files}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        found = importlib.machinery.PathFinder.find_spec(name, path)
        if found is None or found.origin not in self._files:
            return None
        found.loader = self
        return found

    def exec_module(self, module: ModuleType) -> None:
        assert module.__file__ is not None
        exec(instrumented(Path(module.__file__)), module.__dict__)


def record(main: Path, files: Sequence[Path], jax: ModuleType, run: Callable[[], object]) -> Record:
    """Runs a program until it ends or raises, with the hook in its main file and in all `files`."""
    found = Record()
    looking = _Looking(jax)

    is_looking = False

    def seen(span: Span, value: Any) -> Any:
        nonlocal is_looking
        values = found.seen.setdefault(span, {})
        # To flatten an object runs methods of its class, which are of the program too.
        if len(values) < MOST_VALUES and not is_looking:
            is_looking = True
            try:
                values[looking.describe(value, DEEPEST)] = None
            finally:
                is_looking = False
        return value

    with _hook(seen), _imports(main, files):
        try:
            run()
        except (Exception, SystemExit) as error:
            found.error = error
    return found


def run_file(main: Path) -> None:
    """Runs a file as a program, with the hook."""
    module = ModuleType("__main__")
    module.__file__ = str(main)
    before = sys.modules["__main__"]
    sys.modules["__main__"] = module
    try:
        exec(instrumented(main), module.__dict__)
    finally:
        sys.modules["__main__"] = before


@contextmanager
def _hook(seen: Callable[[Span, Any], Any]) -> Generator[None]:
    setattr(builtins, HOOK, seen)
    try:
        yield
    finally:
        delattr(builtins, HOOK)


@contextmanager
def _imports(main: Path, files: Sequence[Path]) -> Generator[None]:
    finder = _Finder(files)
    path, arguments, modules = sys.path[:], sys.argv[:], set(sys.modules)
    sys.path.insert(0, str(main.parent))
    sys.argv[0] = str(main)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.path[:], sys.argv[:] = path, arguments
        for name in set(sys.modules) - modules:
            file = getattr(sys.modules[name], "__file__", None)
            if file in {str(each) for each in files}:
                del sys.modules[name]


class _Looking:
    """Describes values; what JAX's own classes are is asked of the module that stands for it."""

    def __init__(self, jax: ModuleType) -> None:
        self._jax: Any = jax

    def describe(self, value: Any, depth: int) -> Seen:
        if isinstance(value, np.ndarray | np.generic):
            return SeenArray("numpy", value.shape, value.dtype.name, False)
        if isinstance(value, self._jax.Array):
            aval = getattr(value, "aval", None)
            if aval is not None and hasattr(aval, "dtype"):
                weak = bool(getattr(aval, "weak_type", False))
                return SeenArray(self._home(value), tuple(aval.shape), str(aval.dtype), weak)
        if isinstance(value, float) and type(value).__module__.startswith("jax."):
            value = float(value)  # a literal that passes through a custom rule
        if value is None or value is ... or type(value) in (bool, int, float, complex, str, bytes):
            return SeenScalar(type(value).__name__, shown_number(value))
        if isinstance(value, _SEQUENCES):
            return self._sequence(value, depth)
        if isinstance(value, dict):
            return self._mapping(value, depth)
        return self._object(value, depth)

    def _home(self, value: Any) -> Home:
        if not isinstance(value, self._jax.core.Tracer):
            return "array"
        return "concrete tracer" if self._jax.core.is_concrete(value) else "tracer"

    def _sequence(self, value: Any, depth: int) -> Seen:
        kind = next(t.__name__ for t in _SEQUENCES if isinstance(value, t))
        parts = None
        if depth and len(value) <= MOST:
            parts = tuple(self.describe(each, depth - 1) for each in value)
        return SeenSequence(kind, len(value), parts)

    def _mapping(self, value: Mapping[Any, Any], depth: int) -> Seen:
        entries = None
        if depth and len(value) <= MOST:
            described = [
                (self.describe(k, 0), self.describe(v, depth - 1)) for k, v in value.items()
            ]
            keys = [(k, v) for k, v in described if isinstance(k, SeenScalar)]
            entries = tuple(keys) if len(keys) == len(described) else None
        return SeenMapping(len(value), entries)

    def _object(self, value: Any, depth: int) -> Seen:
        cls = cast("type", type(value))
        name = ""
        if isinstance(value, FunctionType):
            name = (
                value.__code__.co_name
            )  # a wrapper has the name of what it wraps, its code its own
        elif isinstance(value, type | ModuleType | BuiltinFunctionType):
            name = value.__name__
        fields: tuple[tuple[str, Seen], ...] = ()
        if depth and not isinstance(value, ModuleType | type | FunctionType):
            try:
                held = object.__getattribute__(value, "__dict__")
            except AttributeError:
                held = {}
            pairs = list(cast("Mapping[str, Any]", held).items())[:MOST]
            fields = tuple((k, self.describe(v, depth - 1)) for k, v in pairs)
        classes = tuple(each.__name__ for each in cls.__mro__)
        return SeenObject(classes, name, callable(value), fields, self._only_tracers(value))

    def _only_tracers(self, value: Any) -> bool:
        try:
            leaves = self._jax.tree.leaves(value)
        except Exception:
            return False
        return all(isinstance(leaf, self._jax.core.Tracer) for leaf in leaves)
