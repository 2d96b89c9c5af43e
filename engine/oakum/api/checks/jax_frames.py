"""A program on real JAX is watched from its own frames: what its calls of JAX return, what its
functions are given, and what its lines store.

Nothing of JAX's internals is used, no function is replaced, and nothing that the program computes
changes: what is not understood is passed over.

Invariants:
- The frames of installed packages and of Python's library are not watched, but for what they return
  to the program's lines.
- A trace function that is there already (a debugger's, that of a coverage) stays, and nothing is
  watched.
"""

from __future__ import annotations

import dis
import enum
import functools
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import (
    AsyncGeneratorType,
    CodeType,
    CoroutineType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
)
from typing import Any, Final, TypeVar, cast

from oakum import dtypes
from oakum.tracing import leak_stores
from oakum.values import user_frames
from oakum.values.records import dataclass

_INSTALLED: Final = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_VARIABLES: Final = ("FAST", "NAME", "GLOBAL", "DEREF", "CLASSDEREF", "CLOSURE")
_BETWEEN: Final = ("STORE", "UNPACK", "COPY", "SWAP", "CACHE", "EXTENDED", "NOP")
"""How instructions begin that stand between the one that computes a value and its last store."""
_LIBRARY: Final = os.path.dirname(os.__file__) + os.sep


@functools.cache
def is_programs(file: str) -> bool:
    """Whether a file is part of the program, and no package that is installed.

    >>> is_programs("/home/me/train.py"), is_programs("/venv/lib/site-packages/optax/_src/base.py")
    (True, False)
    """
    if any(folder in file for folder in _INSTALLED):
        return False
    return not (file.startswith(("<frozen", _LIBRARY)) or user_frames.is_internal(file))


def is_of_program(frame: FrameType) -> bool:
    """Whether a frame is the program's; methods that named tuples, data classes and libraries get
    by `exec` are none, but what `python -c`, a prompt or a cell runs is.
    """
    file = frame.f_code.co_filename
    if not is_programs(file):
        return False
    return (
        not file.startswith("<")
        or file.startswith("<doctest")
        or frame.f_globals.get("__name__") == "__main__"
    )


def running_program() -> FrameType | None:
    """Returns the program's frame that is running; None where there is none."""
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and not is_of_program(frame):
        frame = frame.f_back
    return frame


def is_below_jax(frame: FrameType) -> bool:
    """Whether a frame is called by JAX, directly or not."""
    above = frame.f_back
    while above is not None:
        if str(above.f_globals.get("__name__")).partition(".")[0] == "jax":
            return True
        above = above.f_back
    return False


@dataclass(frozen=True, slots=True)
class Lines:
    """What the lines of a function do: the variables that they store and load, the attributes and
    constants that they mention, and which of them store in something that lasts.
    """

    stored: Mapping[int, tuple[str, ...]]
    loaded: Mapping[int, tuple[str, ...]]
    mentioned: Mapping[int, tuple[str, ...]]
    lasting: frozenset[int]
    statements: Mapping[int, range]
    """Of a line that stores, the lines over which its statement goes."""

    def of_statement(self, names: Mapping[int, tuple[str, ...]], line: int) -> tuple[str, ...]:
        """Returns the names of all lines of the statement that stores at a line."""
        lines = self.statements.get(line, range(line, line + 1))
        return tuple(name for each in lines for name in names.get(each, ()))


_MOST_READ: Final = 4096
Read = TypeVar("Read")


def by_code(read: Callable[[CodeType], Read]) -> Callable[[CodeType], Read]:
    """Has what is read of the code of a function kept for the next time."""
    known: dict[int, tuple[CodeType, Read]] = {}

    @functools.wraps(read)
    def look_up(code: CodeType) -> Read:
        # By its id, while it is kept: its hash is computed from all its constants each time.
        found = known.get(id(code))
        if found is None:
            if len(known) >= _MOST_READ:
                known.clear()
            found = known[id(code)] = code, read(code)
        return found[1]

    return look_up


@by_code
def lines_of(code: CodeType) -> Lines:
    """Returns what the lines of a function do."""
    stored: dict[int, tuple[str, ...]] = {}
    loaded: dict[int, tuple[str, ...]] = {}
    mentioned: dict[int, tuple[str, ...]] = {}
    statements: dict[int, range] = {}
    computed = range(0)
    for each in dis.get_instructions(code):
        kind, _, place = each.opname.partition("_")
        line = each.positions.lineno if each.positions is not None else None
        if kind not in _BETWEEN and each.positions is not None and line is not None:
            last = line if kind == "FOR" else each.positions.end_lineno or line
            computed = range(line, last + 1)
        if line is None or kind not in ("STORE", "LOAD"):
            continue
        if kind == "STORE":
            first, end = min(line, computed.start), max(line + 1, computed.stop)
            statements[line] = range(first, end)
        names = mentioned
        if place in _VARIABLES:
            names = stored if kind == "STORE" else loaded
        names[line] = (*names.get(line, ()), str(each.argval))
    lasting = frozenset(each.line for each in leak_stores.statements(code))
    return Lines(stored, loaded, mentioned, lasting, statements)


class Watch:
    """What is done with what the trace function sees. All methods are called while the program
    waits; what they raise is lost.
    """

    hears_calls = True
    """Whether it hears what lines call and get; without that the frames of others cost nothing."""
    hears_lines = True
    """Whether it hears of the lines of functions that it wants, and not of their calls alone."""
    ends_idle = False
    """Whether it has heard enough after many calls in a row that it does not want."""

    def wants(self, frame: FrameType) -> bool:
        """Whether it hears of the lines of a function: of the program's, if it does not say."""
        return is_of_program(frame)

    def called(self, frame: FrameType) -> None:
        """A function begins."""

    def asked(self, frame: FrameType, caller: FrameType) -> None:
        """A function of JAX's or of a library's begins, called by a line of the program's."""

    def received(self, value: object, caller: FrameType) -> None:
        """A line of the program's gets a value from a function."""

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """A function goes from one line to another; None for its begin and end."""

    def raised(self, frame: FrameType, error: BaseException) -> None:
        """A line raises an error, or a function that it calls does."""

    def returned(self, frame: FrameType, value: object) -> None:
        """A function ends, with None for a value where it raises an error."""


_MOST_IDLE: Final = 1_000_000
"""So many calls of the trace function that tells nobody cost 0.3 s, and 0.6 s where compiled
functions are called, which go another way beside a trace function. 200,000 steps of a loop took
16.7 s for 6.1 while it was called to the end, and take 6.8.
"""
_Hooks = tuple[Callable[..., None], ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """What watches hear of a function, whose code is kept; whether it is the program's."""

    code: CodeType
    is_wanted: bool
    has_lines: bool
    is_programs: bool


class FrameTrace:
    """The trace function, which tells watches what happens in the frames of the program.

    It is called for every function that Python begins, so it looks at a function once, and calls
    no watch that does not hear of an event.
    """

    def __init__(self) -> None:
        self._watches: Final[list[Watch]] = []
        self._lines: Final[dict[FrameType, int]] = {}
        self._kinds: Final[dict[int, _Kind]] = {}
        """By the ids of the codes of functions."""
        self._called: _Hooks = ()
        self._asked: _Hooks = ()
        self._received: _Hooks = ()
        self._stepped: _Hooks = ()
        self._raised: _Hooks = ()
        self._returned: _Hooks = ()
        self._is_on = self._hears_calls = self._ends_idle = False
        self._idle = 0
        """So many functions were called since one that is wanted."""

    def add(self, watches: Iterable[Watch]) -> None:
        """Has watches hear of what happens from now on, in this thread and in those that begin
        later; has no effect where another trace function is there.
        """
        if not self._is_on and sys.gettrace() is not None:
            return
        self._watches.extend(watches)
        if not self._watches:
            return
        self._kinds.clear()
        self._called, self._asked, self._received = map(
            self._hooks, ("called", "asked", "received")
        )
        self._stepped, self._raised, self._returned = map(
            self._hooks, ("stepped", "raised", "returned")
        )
        self._hears_calls = any(watch.hears_calls for watch in self._watches)
        self._ends_idle = all(watch.ends_idle for watch in self._watches)
        self._idle = 0
        self._is_on = True
        frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame is not None:
            if self._kind_of(frame).has_lines:
                self._lines[frame] = frame.f_lineno
                frame.f_trace_lines = True
                frame.f_trace = self._step
            frame = frame.f_back
        threading.settrace(self._call)
        sys.settrace(self._call)

    def end(self) -> None:
        """Watches no more."""
        if self._is_on:
            self._is_on = False
            sys.settrace(None)
            threading.settrace(None)
            self._lines.clear()

    def forget(self, code: CodeType) -> None:
        """Has watches asked once more whether they want a function."""
        self._kinds.pop(id(code), None)

    def _hooks(self, method: str) -> _Hooks:
        """Returns the methods of this name that do something."""
        ignored = getattr(Watch, method)
        return tuple(
            getattr(watch, method)
            for watch in self._watches
            if getattr(type(watch), method) is not ignored
        )

    def _kind_of(self, frame: FrameType) -> _Kind:
        code = frame.f_code
        kind = self._kinds.get(id(code))
        if kind is None:
            wanting = [watch for watch in self._watches if watch.wants(frame)]
            has_lines = any(watch.hears_lines for watch in wanting)
            kind = _Kind(code, bool(wanting), has_lines, is_of_program(frame))
            self._kinds[id(code)] = kind
        return kind

    def _tell(self, hooks: _Hooks, *arguments: object) -> None:
        """Calls watches; Python calls no trace function while one runs."""
        if not self._is_on:
            return
        for hook in hooks:
            try:
                hook(*arguments)
            except Exception:  # The program goes on whatever is not understood of it.
                continue

    def _call(self, frame: FrameType, event: str, _: object) -> Any:
        if not self._is_on:
            return None
        kind = self._kinds.get(id(frame.f_code)) or self._kind_of(frame)
        if kind.is_wanted:
            self._idle = 0
            if self._called:
                self._tell(self._called, frame)
            if not kind.has_lines:
                frame.f_trace_lines = False
            return self._step
        self._idle += 1
        if self._ends_idle and self._idle >= _MOST_IDLE:
            self.end()
        caller = frame.f_back
        if caller is None or not self._hears_calls:
            return None
        if not (self._kinds.get(id(caller.f_code)) or self._kind_of(caller)).is_programs:
            return None
        if self._asked:
            self._tell(self._asked, frame, caller)
        frame.f_trace_lines = False
        return self._return

    def _return(self, frame: FrameType, event: str, value: object) -> Any:
        if event == "return" and self._received and frame.f_back is not None:
            self._tell(self._received, value, frame.f_back)
        return self._return

    def _step(self, frame: FrameType, event: str, value: object) -> Any:
        if event == "line":
            before = self._lines.get(frame)
            self._lines[frame] = frame.f_lineno
            self._tell(self._stepped, frame, before, frame.f_lineno)
        elif event == "return":
            before = self._lines.pop(frame, None)
            self._tell(self._stepped, frame, before, None)
            self._tell(self._returned, frame, value)
            caller = frame.f_back
            if value is not None and self._received and caller is not None:
                self._tell(self._received, value, caller)
        elif event == "exception" and self._raised and isinstance(value, tuple):
            self._tell(self._raised, frame, cast("tuple[object, ...]", value)[1])
        return self._step


def real_jax() -> ModuleType | None:
    """Returns real JAX where it is loaded; oakum under its name has no file."""
    jax = sys.modules.get("jax")
    return jax if jax is not None and getattr(jax, "__file__", None) else None


class Arrival(MetaPathFinder):
    """Calls a function once, when a program has imported JAX."""

    def __init__(self, then: Callable[[], object]) -> None:
        self._then: Final = then

    def begin(self) -> None:
        """Waits for the import from now on."""
        sys.meta_path.insert(0, self)

    def end(self) -> None:
        """Waits no more."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds JAX as Python does, and has the function called behind it."""
        if fullname != "jax":
            return None
        self.end()
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_tell(module: ModuleType) -> None:
            load(module)
            self._then()

        vars(spec.loader)["exec_module"] = load_and_tell
        return spec


class _Form(enum.Enum):
    """How the parts of a value are reached."""

    PLAIN = enum.auto()
    """A number or text of Python's: it is no part that anyone looks at."""
    WHOLE = enum.auto()
    MAPPING = enum.auto()
    SEQUENCE = enum.auto()
    OBJECT = enum.auto()
    SUSPENDED = enum.auto()
    """A generator or a coroutine, which has variables."""


_PLAIN: Final = (int, str, bytes, complex, type(None))
_OPAQUE: Final = (type, ModuleType, FunctionType, MethodType, FrameType, CodeType)
_SUSPENDED: Final = (GeneratorType, CoroutineType, AsyncGeneratorType)
_MOST_PARTS: Final = 300
"""As many parts of a value are looked at: trees of parameters have some hundred leaves."""


@functools.lru_cache(maxsize=4096)
def _form_of(kind: type) -> _Form:
    if kind in _PLAIN:
        return _Form.PLAIN
    is_whole = _is_of_jax(kind) or issubclass(kind, _OPAQUE)
    if issubclass(kind, dict):
        return _Form.MAPPING
    if issubclass(kind, (list, tuple)):
        return _Form.SEQUENCE
    if issubclass(kind, _SUSPENDED):
        return _Form.SUSPENDED
    return _Form.WHOLE if is_whole else _Form.OBJECT


def parts_of(value: object) -> Iterator[object]:
    """Yields a value and what it contains: the items of containers, the attributes of objects whose
    class Python code has made. Integers, texts and None are left out.
    """
    waiting: list[object] = [value]
    known: set[int] = set()
    while waiting and len(known) < _MOST_PARTS:
        each = waiting.pop()
        form = _form_of(type(each))
        if form is _Form.PLAIN or id(each) in known:
            continue
        known.add(id(each))
        yield each
        match form:
            case _Form.MAPPING:
                waiting += _items(cast("dict[object, object]", each))
            case _Form.SEQUENCE:
                waiting += list(cast("Sequence[object]", each))[:_MOST_PARTS]
            case _Form.OBJECT:
                waiting += _attributes(each)
            case _Form.SUSPENDED:
                frames = (getattr(each, f"{kind}_frame", None) for kind in ("gi", "cr", "ag"))
                waiting += [value for frame in frames if frame for value in _items(frame.f_locals)]
            case _Form.WHOLE:
                pass


def _attributes(value: object) -> list[object]:
    try:
        own: object = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return []
    return _items(cast("dict[object, object]", own)) if isinstance(own, dict) else []


def _items(held: dict[object, object]) -> list[object]:
    return list(held.values())


def _is_of_jax(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ("jax", "jaxlib", "numpy")


def form_of_array(value: object, *, short: bool = False) -> str:
    """Returns the dtype and shape of an array: `float32[3,4]`, or `f32[3,4]`; "" for what has none.

    >>> form_of_array(3)
    ''
    """
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if not isinstance(shape, tuple) or dtype is None:
        return ""
    sizes = ",".join(map(str, cast("tuple[object, ...]", shape)))
    name = str(getattr(dtype, "name", dtype))
    known = dtypes.DTYPES.get(name) if short else None
    return f"{known.short if known else name}[{sizes}]"


def trace_state() -> Callable[[], object] | None:
    """Returns the function by which JAX says which trace is under way, as a value to be compared;
    None where this version of JAX does not say.
    """
    try:
        state: Callable[[], object] = importlib.import_module(
            "jax.extend.core"
        ).get_opaque_trace_state
        state()
    except Exception:
        return None
    return state
