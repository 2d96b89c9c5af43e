"""Finds the frames of the stack that belong to the user's program, and the places of functions.

Invariants:
- Taking the frames costs a walk over the stack and no look at a source file.
- A frame of this package, of what Python puts between, or of NumPy, is never a user's frame.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import inspect
import itertools
import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any, Final, NamedTuple, TypeVar, cast

from oakum.errors import Frame

F = TypeVar("F", bound=Callable[..., Any])

_HERE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_BETWEEN: Final = frozenset(
    (functools.__file__, sys.modules["contextlib"].__file__ or "", "<frozen importlib._bootstrap>")
)
_LIBRARY: Final = os.path.dirname(os.__file__)
_LIBRARIES: Final = sys.stdlib_module_names | {"numpy", "oakum"}
_NUMPY: Final = os.path.join("site-packages", "numpy", "")
_KEPT: Final = 5
"""As many of the user's frames are kept with each equation."""

_TESTS: Final = ("POP_JUMP", "JUMP_IF", "UNARY_NOT", "TO_BOOL", "COPY", "CACHE", "EXTENDED_ARG")
"""Instructions that test a value, and what stands between them and the one that made it."""

_CALLING_BACK: Final = ("numpy", "scipy")
"""Libraries that call arrays back (`__array__`): the user's line is the one that called them."""

_internal: dict[str, bool] = {}
_users: dict[str, bool] = {}
_excluded: Final[list[str]] = []
"""How the names of files begin whose frames libraries have taken out (`register_exclusion`)."""


def exclude(path: str) -> None:
    """Takes the frames of the files below a path, or of a file, for none of the user's."""
    _excluded.append(path)
    _internal.clear()
    _users.clear()


def is_internal(file: str) -> bool:
    """Whether a file is part of this package or of the machinery between it and the user."""
    found = _internal.get(file)
    if found is None:
        found = file.startswith((_HERE, "<frozen", *_excluded)) or file in _BETWEEN
        _internal[file] = found
    return found


def is_library(frame: FrameType) -> bool:
    """Whether code is Python's own or NumPy's; the user's need not lie in a file (`python -c`)."""
    file = frame.f_code.co_filename
    if file.startswith("<"):
        module = str(frame.f_globals.get("__name__")).partition(".")[0]
        # `namedtuple` writes a module for each class.
        return module in _LIBRARIES or module.startswith("namedtuple_")
    return _NUMPY in file or (file.startswith(_LIBRARY) and "site-packages" not in file)


def is_users(file: str) -> bool:
    """Whether a file is the user's: not this package, and no library that calls it back."""
    loaded = (getattr(sys.modules.get(name), "__file__", None) for name in _CALLING_BACK)
    homes = tuple(os.path.dirname(each) + os.sep for each in loaded if each)
    found = _users[file] = not is_internal(file) and not file.startswith(homes)
    return found


class UserFrame(NamedTuple):
    """One frame of the user's program: the code that runs there, and the instruction.

    Many are made and few are looked at, so the line is found when it is asked for.
    """

    code: CodeType
    instruction: int

    @property
    def line(self) -> int:
        """The line that runs."""
        for start, end, line in self.code.co_lines():
            if start <= self.instruction < end and line is not None:
                return line
        return self.code.co_firstlineno

    @property
    def position(self) -> tuple[int, int, int, int] | None:
        """Line and column where the instruction's source starts and ends; columns count bytes."""
        return self._position(self.instruction)

    @property
    def tested(self) -> tuple[int, int, int, int] | None:
        """The source position of the value that the instruction tests for truth.

        A jump has no source of its own: the instruction before it made the value. For any other
        instruction it is the position.
        """
        offset = self.instruction
        while offset >= 0 and self._name(offset).startswith(_TESTS):
            offset -= 2
        return self._position(offset)

    def _name(self, offset: int) -> str:
        return dis.opname[self.code.co_code[offset]]

    def _position(self, offset: int) -> tuple[int, int, int, int] | None:
        if offset < 0:
            return None
        positions = itertools.islice(self.code.co_positions(), offset // 2, None)
        line, end, column, end_column = next(positions, (None, None, None, None))
        if line is None or end is None or column is None or end_column is None:
            return None
        return line, column, end, end_column

    @property
    def frame(self) -> Frame:
        """The place, as errors print it."""
        return Frame(self.code.co_filename, self.line)

    def __str__(self) -> str:
        return f"{self.code.co_filename}:{self.line} ({self.code.co_qualname})"


def user_frames(count: int = _KEPT) -> tuple[UserFrame, ...]:
    """Returns the innermost frames of the user's program, the innermost first."""
    frames: list[UserFrame] = []
    known = _users
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        if known[file] if file in known else is_users(file):
            frames.append(UserFrame(code, frame.f_lasti))
            if len(frames) == count:
                break
        frame = frame.f_back
    return tuple(frames)


def running_frame() -> FrameType | None:
    """Returns the frame of the user's program that is running; None where there is none."""
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        file = frame.f_code.co_filename
        users = _users.get(file)
        if is_users(file) if users is None else users:
            return frame
        frame = frame.f_back
    return None


def user_frame() -> Frame | None:
    """Returns the line of the user's program that is running; None where there is none."""
    frames = user_frames(1)
    return frames[0].frame if frames else None


def name_of(function: Callable[..., Any]) -> str:
    """Returns the name of a function for messages; of a `partial`, that of its function."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def wraps(function: Callable[..., Any]) -> Callable[[F], F]:
    """Returns a decorator that gives a wrapper the name and the documentation of a user's function.

    What cannot be the name of a function is left, as Equinox's placeholders of a module's names. Of
    a function that puts its documentation together when asked, a public one, the summary is taken:
    to write the rest took the first `jit(jnp.tanh)` of a process 0.2 seconds.
    """
    names = functools.WRAPPER_ASSIGNMENTS
    summary = getattr(function, "__dict__", {}).get("__doc__")
    if summary is not None:
        names = tuple(name for name in names if name != "__doc__")

    def named(wrapper: F) -> F:
        if summary is not None:
            wrapper.__doc__ = summary
        try:
            return cast("F", functools.update_wrapper(wrapper, function, names))
        except TypeError:
            for name in names:
                with contextlib.suppress(AttributeError, TypeError):
                    setattr(wrapper, name, getattr(function, name))
            setattr(wrapper, "__wrapped__", function)  # noqa: B010
            return wrapper

    return named


def wrapped_by(function: object) -> object:
    """Returns what a wrapper, a method or a `partial` calls; None for anything else."""
    if isinstance(function, functools.partial):
        return function.func
    if isinstance(function, MethodType):
        return function.__func__
    return getattr(function, "__wrapped__", None) if isinstance(function, FunctionType) else None


def place_of(function: Callable[..., Any]) -> str:
    """Returns a function's name and where it is defined."""
    inner = inspect.unwrap(function) if callable(function) else function
    while isinstance(inner, functools.partial):
        inner = inner.func
    code = getattr(inner, "__code__", None)
    if code is None:
        method: Any = type(inner).__dict__.get("__call__")
        code = getattr(method, "__code__", None)
    name = name_of(function)
    return name if code is None else f"{name} at {code.co_filename}:{code.co_firstlineno}"
