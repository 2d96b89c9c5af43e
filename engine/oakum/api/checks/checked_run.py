"""Runs a program of the user's with the checks on, as `python program.py` would run it otherwise.

What the checks find is noted, line by line, in a file that the caller names: a program that is
killed keeps what was found until then. Its output, its arguments, its exit status and the traceback
of its own error are what they are without.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import runpy
import sys
import traceback
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from types import CodeType, FrameType, ModuleType
from typing import Final, TextIO

from oakum import config, errors
from oakum.api.checks import jax_frames
from oakum.api.checks.jax_frames import FrameTrace, Watch
from oakum.api.checks.jax_watch import JaxWatch
from oakum.api.checks.library_numbers import LibraryNumbers
from oakum.api.checks.seen_calls import SeenCalls
from oakum.errors import Frame, LeakedTracerError, OakumError
from oakum.tracing.trace import is_evaluating
from oakum.transforms.jit import retraces
from oakum.values import codes, user_frames
from oakum.values.checks import check_outcomes
from oakum.values.checks.check_outcomes import CHECKS, Found
from oakum.values.codes import Code
from oakum.values.option_values import State

_INEXACT: Final[Mapping[str, Code]] = {"ConcretizationTypeError": codes.TRACER_TO_SCALAR}
"""Where the class of an error of JAX says less than that of oakum's: `float(x)` is what most often
raises it there.
"""


def describe(error: Exception, *, ended: bool = False) -> list[Found]:
    """Returns what an error says, once for each of its lines."""
    code = _code_of(error) or codes.INTERNAL_ERROR
    own = error if isinstance(error, OakumError) else None
    text = str(error) if own is None else f"{own.message}\n{own.detail}"
    headline, *rest = text.strip().splitlines() or [type(error).__name__]
    notes = [line for line in rest if line.strip()]
    if own is not None and own.operands:
        notes.append(own.operands)
    return [
        Found(
            code=code.code,
            name=code.name,
            file=place.file if place else "",
            line=place.line if place else 0,
            error=type(error).__name__,
            message=headline,
            notes=tuple(notes),
            hint=code.hint if own is None else own.hint,
            ended=ended,
        )
        for place in _places(error)
    ]


class Report:
    """The file in which findings are noted, as JSON, one in each line."""

    def __init__(self, file: TextIO) -> None:
        self._file: Final = file
        self._seen: Final[set[tuple[object, ...]]] = set()

    def note(self, error: Exception, *, ended: bool = False) -> None:
        """Notes an error, once for each line; `ended` says that it has ended the program."""
        for each in describe(error, ended=ended):
            key = (each.code, each.file, each.line)
            if key not in self._seen:
                self._seen.add(key)
                self.write(found={name: getattr(each, name) for name in Found.__slots__})

    def write(self, **fields: object) -> None:
        """Adds a line, which a process that is killed later cannot lose."""
        self._file.write(json.dumps(fields) + "\n")
        self._file.flush()


def options_of(checks: Iterable[str]) -> list[State[bool]]:
    """Returns the engine's options that turn checks on."""
    names = [CHECKS[check].option for check in checks]
    return [getattr(config, name) for name in names if name is not None]


@contextlib.contextmanager
def collecting(checks: Collection[str]) -> Generator[list[Found]]:
    """Has checks on in a block, and what they find put in a list instead of raised."""
    found: list[Found] = []
    with contextlib.ExitStack() as stack:
        for option in options_of(checks):
            stack.enter_context(option(True))
        if "retraces" in checks:
            retraces.forget()
        stack.enter_context(check_outcomes.noted(functools.partial(add, found)))
        yield found


def add(found: list[Found], error: Exception) -> None:
    """Adds what an error says to what was found, but what is known already."""
    found.extend(each for each in describe(error) if each not in found)


def _places(error: Exception) -> Sequence[Frame | None]:
    """Returns the lines to show an error at: of leaked tracers, those that stored them."""
    if isinstance(error, LeakedTracerError) and error.stored:
        return error.stored
    if isinstance(error, OakumError) and error.frame is not None:
        return [error.frame]
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if not user_frames.is_internal(frame.f_code.co_filename) and not _is_of_jax(frame):
            return [Frame(frame.f_code.co_filename, line)]
    return [user_frames.user_frame()]


def _is_of_jax(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in ("jax", "jaxlib")


def _code_of(error: BaseException) -> Code | None:
    """Returns the code of an error of oakum, or of the class of the same name for one of JAX; None
    for any other.
    """
    if isinstance(error, OakumError):
        return error.code
    cls = type(error)
    if cls.__module__.partition(".")[0] != "jax":
        return None
    own: object = getattr(errors, cls.__name__, None)
    if not (isinstance(own, type) and issubclass(own, OakumError)):
        return None
    code = _INEXACT.get(cls.__name__, own.default_code)
    return None if code is codes.INTERNAL_ERROR else code


def run(
    program: str,
    arguments: Sequence[str],
    report: Report,
    *,
    is_module: bool = False,
    checks: Iterable[str] = CHECKS,
    block: contextlib.AbstractContextManager[object] | None = None,
    watched: Mapping[str, Iterable[int]] | None = None,
    records: bool = False,
) -> int:
    """Runs a script, or a module, and returns its exit status.

    It runs in `block`; of the lines of files in `watched` is noted which were run, and if it
    `records`, what the program's functions were called with.
    """
    checks = frozenset(checks)
    for option in options_of(checks):
        option.set_global(True)
    sys.argv = [program, *arguments]
    lines = _Lines(watched or {})
    trace = FrameTrace()
    calls = SeenCalls(trace)
    check_outcomes.note_by(LibraryNumbers(trace, report.note).note)
    jax_watch = JaxWatch(trace, checks, report.note)
    status = 0
    with block or contextlib.nullcontext():
        trace.add([*([lines] if watched else []), *([calls] if records else [])])
        jax_watch.begin(is_oakum=block is not None)
        try:
            if is_module:
                sys.path.insert(0, os.getcwd())
                runpy.run_module(program, run_name="__main__", alter_sys=True)
            else:
                sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
                _run_script(program)
        except SystemExit as end:
            status = _status_of(end)
        except BaseException as error:
            if isinstance(error, Exception) and _code_of(error) is not None:
                report.note(error, ended=True)
                explain(error)
            _show(error)
            status = 130 if isinstance(error, KeyboardInterrupt) else 1
        finally:
            jax_watch.end()
            trace.end()
    if records:
        report.write(calls=calls.found)
    report.write(lines=lines.found)
    return status


def _run_script(program: str) -> None:
    path = os.path.abspath(program)
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    module = ModuleType("__main__")
    module.__file__ = path
    vars(module)["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    exec(code, vars(module))


def _status_of(end: SystemExit) -> int:
    """Returns the exit status of a program that calls `sys.exit`, whose text is shown."""
    match end.code:
        case None:
            return 0
        case int(status):
            return status & 0xFF
        case text:
            print(text, file=sys.stderr)
            return 1


def explained(error: Exception) -> list[Found]:
    """Returns what oakum knows of an error of JAX; nothing of any other."""
    is_known = not isinstance(error, OakumError) and _code_of(error) is not None
    return describe(error, ended=True) if is_known else []


def text_of(found: Found) -> str:
    """Returns what a finding says, where there is no report: its place, its code, and the help."""
    first = f"{found.file}:{found.line}: {found.code} {found.message}"
    return "\n".join([first, *found.notes, found.hint])


def explain(error: Exception) -> None:
    """Adds to an error of JAX what oakum knows: the line, the code, and what to write instead."""
    code = _code_of(error)
    if isinstance(error, OakumError) or code is None:
        return
    (place, *_) = _places(error)
    where = "" if place is None else f"At {place}.\n"
    error.add_note(f"{where}{code.hint}\n{code.code} {code.name}: {code.command}")


def _show(error: BaseException) -> None:
    """Prints the traceback of the program's error, from the program's first frame on."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame):
        trace = trace.tb_next
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def _is_ours(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return user_frames.is_internal(file) or file == runpy.__file__


class _Lines(Watch):
    """Notes which of some lines are run, which while a function is traced, and which raise an error
    that oakum knows, though the program may catch it.
    """

    hears_calls = False

    def __init__(self, watched: Mapping[str, Iterable[int]]) -> None:
        self._watched: Final = {
            os.path.realpath(file): frozenset(lines) for file, lines in watched.items()
        }
        self._of_code: Final[dict[CodeType, frozenset[int]]] = {}
        self._found: Final[dict[tuple[str, int], str]] = {}
        self._traced: Final[set[tuple[str, int]]] = set()

    @property
    def found(self) -> list[tuple[str, int, str, bool]]:
        """The lines that were run, with their files, the errors that they raised, and whether they
        were run while a function was traced.
        """
        return [(*at, error, at in self._traced) for at, error in sorted(self._found.items())]

    def wants(self, frame: FrameType) -> bool:
        """Whether a function has one of the lines."""
        return bool(self._lines_of(frame.f_code))

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """Notes a line that begins."""
        if line in self._lines_of(frame.f_code):
            place = (os.path.realpath(frame.f_code.co_filename), line or 0)
            self._found.setdefault(place, "")
            if not is_evaluating() or jax_frames.is_below_jax(frame):
                self._traced.add(place)

    def raised(self, frame: FrameType, error: BaseException) -> None:
        """Notes a line that raises an error of oakum's or of JAX's."""
        if frame.f_lineno in self._lines_of(frame.f_code) and _code_of(error):
            place = (os.path.realpath(frame.f_code.co_filename), frame.f_lineno)
            self._found[place] = type(error).__name__

    def _lines_of(self, code: CodeType) -> frozenset[int]:
        lines = self._of_code.get(code)
        if lines is None:
            known = self._watched.get(os.path.realpath(code.co_filename), frozenset[int]())
            lines = frozenset(line for *_, line in code.co_lines() if line in known)
            self._of_code[code] = lines
        return lines
