"""What the functions of a program were called with, for the editor: the dtypes and shapes of
arrays, the classes of all else, under traces as well.

Invariants:
- Nothing of the program's is run for this, no value is kept, and no frame beyond its call.
- Functions that yield, and those without a name, are left out.
- The first calls of a function are seen. What comes later costs what any function costs that is
  not watched, one call of the trace function, until nothing new is called for long.
"""

from __future__ import annotations

import dis
import inspect
import os
from types import CodeType, FrameType
from typing import Final

from oakum.api.checks import jax_frames
from oakum.values.records import dataclass, field

_MOST_CALLS: Final = 256
"""So many calls of a function are seen. A call that is seen costs 4 us more than one that is not:
together a millisecond for each function of a program.
"""
_MOST_FORMS: Final = 8
"""So many different calls of a function are kept."""
_ARRAYS: Final = ("jax", "jaxlib", "numpy", "oakum")
"""Where the classes of arrays are from: of any other class a property could run the program's code.
"""
_RETURNING: Final = frozenset(
    dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap
)

Form = tuple[tuple[str, ...], str]
"""What a call was: the forms of the arguments, and of the result; "" where it has raised an error.
"""


@dataclass(slots=True, eq=False)
class _Function:
    """A function that was called."""

    code: CodeType
    parameters: tuple[str, ...]
    calls: int = 0
    forms: dict[Form, int] = field(default_factory=dict[Form, int])


class SeenCalls(jax_frames.Watch):
    """Notes the calls of the program's functions."""

    hears_calls = False
    hears_lines = False
    ends_idle = True

    def __init__(self, trace: jax_frames.FrameTrace) -> None:
        self._trace: Final = trace
        self._functions: Final[dict[int, _Function]] = {}
        """By the ids of their codes, which are kept."""
        self._begun: Final[dict[FrameType, tuple[str, ...]]] = {}

    def wants(self, frame: FrameType) -> bool:
        """Whether a function has a name, and was not seen often enough."""
        code = frame.f_code
        known = self._functions.get(id(code))
        if known is not None:
            return known.calls < _MOST_CALLS
        yields = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
        is_named = not code.co_name.startswith("<") and code.co_flags & inspect.CO_NEWLOCALS
        return bool(is_named and not code.co_flags & yields and jax_frames.is_of_program(frame))

    def called(self, frame: FrameType) -> None:
        """Notes the arguments."""
        if self.wants(frame):
            function = self._functions.get(id(frame.f_code)) or self._add(frame.f_code)
            held = frame.f_locals
            self._begun[frame] = tuple(
                [_form_of(held[name]) if name in held else "?" for name in function.parameters]
            )

    def returned(self, frame: FrameType, value: object) -> None:
        """Notes the result, and the call."""
        arguments = self._begun.pop(frame, None)
        if arguments is None:
            return
        function = self._functions[id(frame.f_code)]
        has_raised = value is None and not _is_returning(frame)
        form: Form = (arguments, "" if has_raised else _form_of(value))
        if form in function.forms or len(function.forms) < _MOST_FORMS:
            function.forms[form] = function.forms.get(form, 0) + 1
        function.calls += 1
        if function.calls == _MOST_CALLS:
            self._trace.forget(frame.f_code)

    @property
    def found(self) -> list[dict[str, object]]:
        """What was seen, as JSON has it: one for each function."""
        return [
            {
                "file": os.path.realpath(each.code.co_filename),
                "name": each.code.co_qualname,
                "line": each.code.co_firstlineno,
                "parameters": each.parameters,
                "calls": each.calls,
                "forms": [[*form, count] for form, count in each.forms.items()],
            }
            for each in [*self._functions.values()]
            if each.calls
        ]

    def _add(self, code: CodeType) -> _Function:
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & inspect.CO_VARARGS)
        count += bool(code.co_flags & inspect.CO_VARKEYWORDS)
        function = self._functions[id(code)] = _Function(code, code.co_varnames[:count])
        return function


def _is_returning(frame: FrameType) -> bool:
    """Whether a function ends with a result: for the trace function an error looks like None."""
    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] in _RETURNING


def _form_of(value: object) -> str:
    """Returns the dtype and shape of an array, and the class of all else.

    >>> _form_of(3), _form_of(None)
    ('int', 'None')
    """
    kind = type(value)
    if value is None:
        return "None"
    if kind.__module__.partition(".")[0] in _ARRAYS:
        form = jax_frames.form_of_array(value, short=True)
        if form:
            return form
    return kind.__qualname__
