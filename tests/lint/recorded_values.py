"""Runs a program and notes what each of its expressions gives: the other side of the analysis.

The text of the program's files is compiled with each expression `e` as `__seen__(place, e)`, which
returns `e`; nothing else of the program changes. What was seen is described at that moment, since
lists and objects change.
"""

import ast
import builtins
import importlib.abc
import importlib.machinery
import inspect
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np
from value_patterns import (
    Home,
    Seen,
    SeenArray,
    SeenObject,
    SeenScalar,
    SeenTuple,
    shown_number,
)

import oakum

Span = tuple[str, int, int, int, int]
"""A file, and the first and last line and column of an expression, columns in characters from 1."""
HOOK = "__seen__"
DEEPEST = 3
MOST = 16
"""So many elements of a container are described."""
MOST_ACTIVATIONS = 48
"""So many runs of one function are looked at."""
_INLINE = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>"))
MOST_VALUES = 64
"""So many different values of one expression are kept."""


_NO_ENTRIES: dict[object, object] = {}
_TUPLES: tuple[type[Any], ...] = (
    tuple,
    range,
    type(_NO_ENTRIES.keys()),
    type(_NO_ENTRIES.values()),
    type(_NO_ENTRIES.items()),
)


@dataclass(slots=True)
class Activation:
    """One run of a function or of a module's body."""

    entry: dict[str, Seen]
    """Its arguments, and what it uses of the functions around it."""
    caller: "Activation | None"
    """The one that was running in the program when it began."""
    line: int
    """The line on which the caller was."""
    is_direct: bool
    """Whether the caller itself called it: else a library did."""
    is_traced: bool | None = None
    """Whether a trace was running when it began; None where that is not asked."""
    seen: dict[Span, dict[Seen, None]] = field(default_factory=dict[Span, dict[Seen, None]])


@dataclass(slots=True)
class Record:
    """What a run has shown, and how it ended."""

    activations: list[Activation] = field(default_factory=list[Activation])
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
    asked = node.left if isinstance(node, ast.Compare) else node
    if isinstance(asked, ast.Name) and asked.id == "__name__":
        return False  # each file is the program once, for the analysis
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
    tree = ast.parse(text, str(path))
    _Instrumented(str(path), text).visit(tree)
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
    watch = _Watch(_Looking(jax), frozenset(map(str, (main, *files))))
    with _hook(watch.see), _imports(main, files):
        try:
            run()
        except (Exception, SystemExit) as error:
            watch.found.error = error
    return watch.found


def _activation_of(frame: FrameType) -> Activation | None:
    made: object = frame.f_trace
    return made if isinstance(made, Activation) else None


class _Watch:
    """Notes what the hook is called with, by activation."""

    def __init__(self, looking: "_Looking", files: frozenset[str]) -> None:
        self.found = Record()
        self._looking = looking
        self._files = files
        self._counts: dict[CodeType, int] = {}
        self._is_looking = False

    def see(self, span: Span, value: Any) -> Any:
        """Notes a value, and returns it."""
        # To flatten an object runs methods of its class, which are of the program too.
        if not self._is_looking:
            self._is_looking = True
            try:
                activation = self._activation(inspect.currentframe())
                if activation is not None:
                    values = activation.seen.setdefault(span, {})
                    if len(values) < MOST_VALUES:
                        values[self._looking.describe(value, DEEPEST)] = None
            finally:
                self._is_looking = False
        return value

    def _activation(self, own: FrameType | None) -> Activation | None:
        frame = None if own is None else own.f_back
        if frame is None:
            return None
        while frame.f_code.co_name in _INLINE and frame.f_back is not None:
            frame = frame.f_back
        code = frame.f_code
        known, count = _activation_of(frame), self._counts.get(code, 0)
        if known or count >= MOST_ACTIVATIONS or code.co_name == "<genexpr>":
            return known
        self._counts[code] = count + 1
        back = frame.f_back
        is_direct = back is not None and back.f_code.co_filename in self._files
        while back is not None and _activation_of(back) is None:
            back = back.f_back
        caller = None if back is None else _activation_of(back)
        line = 0 if back is None else back.f_lineno
        traced = self._looking.is_tracing()
        made = Activation(self._entry(frame), caller, line, is_direct, traced)
        self.found.activations.append(made)
        # On the frame itself, in a place that only debuggers use: to keep the frame would keep all
        # that the program lets go.
        frame.f_trace = cast("Any", made)
        return made

    def _entry(self, frame: FrameType) -> dict[str, Seen]:
        code = frame.f_code
        if not code.co_flags & inspect.CO_OPTIMIZED:
            return {}  # of a module or a class body: all that it has it made itself
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & inspect.CO_VARARGS)
        count += bool(code.co_flags & inspect.CO_VARKEYWORDS)
        names = (*code.co_varnames[:count], *code.co_freevars)
        held = frame.f_locals
        found: dict[str, Seen] = {}
        for name in names:
            if name in held:
                found[name] = self._looking.describe(held[name], DEEPEST)
                found.update(self._fields(name, held[name]))
        return found

    def _fields(self, name: str, value: object) -> dict[str, Seen]:
        """What an object holds decides as arguments do."""
        if isinstance(value, ModuleType | type | FunctionType):
            return {}
        try:
            held: dict[str, object] = object.__getattribute__(value, "__dict__")
        except AttributeError:
            return {}
        return {f"{name}.{k}": self._looking.describe(v, DEEPEST) for k, v in held.items()}


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

    def is_tracing(self) -> bool | None:
        """Whether a trace of JAX is running."""
        core = getattr(getattr(self._jax, "_src", None), "core", None)
        return None if core is None else not core.trace_state_clean()

    def describe(self, value: Any, depth: int) -> Seen:
        if isinstance(value, np.ndarray | np.generic):
            host = cast("np.ndarray[tuple[int, ...], np.dtype[np.generic]]", value)
            return SeenArray("numpy", host.shape, host.dtype.name, False)
        if isinstance(value, self._jax.Array):
            aval = getattr(value, "aval", None)
            if aval is not None and hasattr(aval, "dtype"):
                weak = bool(getattr(aval, "weak_type", False))
                return SeenArray(self._home(value), tuple(aval.shape), str(aval.dtype), weak)
        if isinstance(value, self._jax.ShapeDtypeStruct):
            # The analysis has no other word for what has a shape and a dtype alone.
            return SeenArray("numpy", tuple(value.shape), str(value.dtype), False)
        if isinstance(value, float) and type(value).__module__.startswith("jax."):
            value = float(value)  # a literal that passes through a custom rule
        if value is None or value is ... or type(value) in (bool, int, float, complex, str, bytes):
            return SeenScalar(type(value).__name__, shown_number(value))
        if isinstance(value, _TUPLES):
            return self._tuple(value, depth)
        return self._object(value)

    def _home(self, value: Any) -> Home:
        if not isinstance(value, self._jax.core.Tracer):
            return "array"
        if self._jax is oakum:
            has_value = value.concrete() is not None
        else:
            has_value = self._jax.core.is_concrete(value)
        return "concrete tracer" if has_value else "tracer"

    def _tuple(self, value: Any, depth: int) -> Seen:
        kind = next(t.__name__ for t in _TUPLES if isinstance(value, t))
        parts = None
        if depth and len(value) <= MOST:
            parts = tuple(self.describe(each, depth - 1) for each in value)
        own = "" if type(value) in _TUPLES else type(value).__name__
        return SeenTuple(kind, len(value), parts, own)

    def _object(self, value: Any) -> Seen:
        names: tuple[str, ...] = ()
        if isinstance(value, FunctionType):
            # Any function may be called `__name__`; its code says what stands in the text. The
            # analysis passes by what a library puts around one.
            inner = inspect.unwrap(value)
            functions = (each for each in (value, inner) if isinstance(each, FunctionType))
            names = tuple(each.__code__.co_name for each in functions)
        elif isinstance(value, type | ModuleType | BuiltinFunctionType):
            names = (value.__name__,)
        cls = cast("type[object]", type(value))
        classes = tuple(each.__name__ for each in cls.__mro__)
        return SeenObject(classes, names, callable(value), self._only_tracers(value))

    def _only_tracers(self, value: Any, depth: int = DEEPEST) -> bool:
        if value is None or isinstance(value, self._jax.core.Tracer):
            return True
        try:
            # One level at a time: JAX follows a list that holds itself until the stack ends, and
            # that costs the thread a part of its stack for good.
            asked = iter((False,))  # of the tree itself, which is asked of first

            def is_leaf(_: object) -> bool:
                return next(asked, True)

            parts: list[Any] = self._jax.tree.leaves(value, is_leaf=is_leaf)
        except Exception:  # the program's own class says how it is flattened, and may fail
            return False
        is_one = len(parts) == 1 and parts[0] is value
        return not is_one and depth > 0 and all(self._only_tracers(p, depth - 1) for p in parts)
