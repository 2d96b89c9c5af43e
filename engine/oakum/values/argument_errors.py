"""Arguments that a public function could not read: Python's own error, in terms of the call.

A function reads its arguments where it needs them, so an argument of a wrong kind fails in the
middle of it: `'int' object is not iterable`. What the interpreter or NumPy raised there, and no
statement of ours, is given again with the name of the function and its arguments.

Invariants:
- The class that is given is caught by whatever catches the class that Python raised.
- Errors that a `raise` of ours or the user's own code made are left as they are.
"""

from __future__ import annotations

import dis
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FrameType, FunctionType, TracebackType
from typing import Any, Final, cast

from oakum.errors import InvalidValueError, OakumError, ShapeError
from oakum.values import codes, declared_errors
from oakum.values.binding import BindFailure, bind
from oakum.values.facts import Facts
from oakum.values.traceback_filtering import is_boundary
from oakum.values.user_frames import is_internal, is_library

_RAISE: Final = (dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"])
_READING: Final = (TypeError, ValueError, IndexError, AttributeError)
_OF_OPERANDS: Final = (codes.SHAPE_MISMATCH, codes.DTYPE_MISMATCH)
_ARITY: Final = re.compile(
    r"(?P<name>.+)\(\) (?:takes .+ arguments? but \d+ (?:was|were) given|missing \d+ required .+)"
)
"""What Python says where a function does not take the arguments that it gets."""
_LONGEST: Final = 60
"""More characters of an argument are not shown."""


Restater = Callable[[Facts, Any, Any, Exception], Exception]

_restaters: Final[list[Restater]] = []


def restate_by(restater: Restater) -> None:
    """Has errors restate by a function: tracers say them in terms of static arguments."""
    _restaters.append(restater)


OperandNamer = Callable[[Facts, tuple[object, ...], dict[str, object]], str]

_operand_namers: Final[list[OperandNamer]] = []


def name_operands_by(namer: OperandNamer) -> None:
    """Has a function name the operands of the user's call, as its source shows them."""
    _operand_namers.append(namer)


def restate(facts: Facts, args: object, kwargs: object, error: Exception) -> Exception:
    """Returns the error that the user sees for a failed call of a public function."""
    for restater in _restaters:
        if (found := restater(facts, args, kwargs, error)) is not error:
            return found
    if not isinstance(error, _READING) or not _is_by_user():
        return error
    found = declared_errors.of_call(facts, args, kwargs, error)
    if found is error:
        found = restate_python_error(facts, args, kwargs, error)
    is_restated = found is not error
    if isinstance(found, OakumError) and found.code in _OF_OPERANDS:
        for namer in _operand_namers:
            positional = cast("tuple[object, ...]", args)
            names = namer(facts, positional, cast("dict[str, object]", kwargs))
            if names or is_restated:
                found.operands = names
    return found


def restate_python_error(facts: Facts, args: Any, kwargs: Any, error: Exception) -> Exception:
    """Rewrites an error that Python raised for the arguments of a call in terms of the call.

    Coded errors, errors of the user's code and failures to bind arguments are returned unchanged.
    """
    if isinstance(error, OakumError) or not _is_python_s_own(error):
        return error
    bound = bind(facts, args, kwargs)
    if isinstance(bound, BindFailure):
        return error
    kind = ShapeError if isinstance(error, IndexError) else InvalidValueError
    name = facts.name.rpartition(".")[2]
    given = ", ".join(_argument_texts(facts, bound))
    found = _called_back(name, bound, error) or kind(
        f"{name}() cannot be called with {given}: {error}",
        hint=f"Call it as {name}{_signature(facts)}.",
    )
    found.__cause__ = error
    return found


def _called_back(
    name: str, bound: Mapping[str, object], error: Exception
) -> InvalidValueError | None:
    """Returns the error of a function of the user's that does not take the arguments that it gets
    from the function that it was given to; None where there is no such function.
    """
    called = _ARITY.match(str(error))
    for parameter, value in bound.items():
        if isinstance(value, FunctionType) and called and value.__qualname__ == called["name"]:
            text = str(error).removeprefix(called["name"])
            return InvalidValueError(
                f"{name}() gives `{parameter}` other arguments than it takes: "
                f"`{value.__name__}`{text.removeprefix('()')}",
                hint=f"Have `{value.__name__}` take what {name} calls `{parameter}` with.",
            )
    return None


def _signature(facts: Facts) -> str:
    names = list(facts.signature.parameters.values())
    shown = [f"*{p.name}" if p.kind is p.VAR_POSITIONAL else p.name for p in names]
    return f"({', '.join(shown)})"


def _argument_texts(facts: Facts, bound: dict[str, Any]) -> Iterator[str]:
    """Yields the arguments of a call that are no defaults, as messages show them."""
    for name, value in bound.items():
        default = facts.signature.parameters[name].default
        if value is not default and not (isinstance(value, (tuple, dict)) and not value):
            yield f"{name}={_shown(value)}"


def _shown(value: Any) -> str:
    if (aval := getattr(value, "aval", None)) is not None:
        return str(aval)
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{value.dtype}[{','.join(map(str, value.shape))}]"
    if isinstance(value, FunctionType):
        return f"`{value.__name__}`"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _is_by_user() -> bool:
    """Whether the call that is left now was made by the user's code, and not by ours.

    What the user calls may hand the call on at once, as an operator does to a function.
    """
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and not is_boundary(frame.f_code):
        frame = frame.f_back
    while frame is not None and is_boundary(frame.f_code):
        frame = frame.f_back
    return frame is not None and not is_internal(frame.f_code.co_filename)


def _is_python_s_own(error: Exception) -> bool:
    """Whether the interpreter or a library raised an error in code of ours."""
    last: TracebackType | None = None
    traceback = error.__traceback__
    while traceback is not None:
        if not is_library(traceback.tb_frame):
            last = traceback
        deepest = traceback
        traceback = traceback.tb_next
        if traceback is None and last is not None:
            code = last.tb_frame.f_code
            by_us = deepest is last and code.co_code[last.tb_lasti] in _RAISE
            return is_internal(code.co_filename) and not by_us
    return False
