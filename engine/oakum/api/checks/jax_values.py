"""NaN in the variables of a program on real JAX, and random keys that its lines use twice.

Infinities are not looked for: `jnp.inf` is what minima and states of optimizers begin with, and a
variable does not tell how its value was made.

Invariants:
- Only values that exist are looked at; a tracer is none. The program waits for a result that it has
  a name for, as it would where it prints it.
- A line is reported where it makes such a value, not those that pass it on.
"""

from __future__ import annotations

import importlib
import inspect
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Final, Protocol, TypeGuard

from oakum.api.checks import jax_frames
from oakum.errors import Frame, InvalidNumberError, KeyReuseError
from oakum.values import host

_MOST_BYTES: Final = 1 << 26
"""Arrays that are larger are not looked into: 64 MiB take 20 ms."""

_MOST_TIMES: Final = 512
_EACH: Final = 16
"""A line that has stored so often is looked at each so many times: loops of 10,000 steps of an
optimizer in optax's tests took 1.9 times as long otherwise, and 1.3 times with this."""


class _Named(Protocol):
    """A dtype of JAX's."""

    kind: str
    name: str


class _Array(Protocol):
    """What is read of an array of JAX's."""

    shape: tuple[int, ...]
    dtype: _Named
    nbytes: int

    def is_deleted(self) -> bool: ...


class Numbers(jax_frames.Watch):
    """Finds variables that become NaN."""

    def __init__(self, array: type, tracer: type, note: Callable[[Exception], None]) -> None:
        self._array: Final = array
        self._tracer: Final = tracer
        self._note: Final = note
        self._known: Final[dict[int, tuple[weakref.ref[Any], bool]]] = {}
        self._has_wrong = False
        self._times: Final[dict[tuple[int, int], int]] = {}
        """By the id of its code and its number, how often a line has stored."""
        self._left_out: Final[dict[int, dict[int, None]]] = {}
        """By the id of their frame, the lines that were not looked at the last time."""
        self._wrong_names: Final[dict[int, set[str]]] = {}
        """By the id of their frame, the variables that have a NaN: one that is computed again
        from its own value passes it on."""

    def called(self, frame: FrameType) -> None:
        """Notes the arguments that have a NaN: the function may store in their names."""
        if not self._has_wrong:
            return
        code = frame.f_code
        count = code.co_argcount + code.co_kwonlyargcount
        for name in code.co_varnames[:count]:
            if any(map(self._is_known_wrong, jax_frames.parts_of(frame.f_locals.get(name)))):
                self._wrong_names.setdefault(id(frame), set()).add(name)

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """Looks at what the last line has stored; of one that is run often, now and then, and when
        its function ends: a NaN stays in what a loop computes.
        """
        left_out = self._left_out.pop(id(frame), {}) if line is None else {}
        if before is not None and jax_frames.lines_of(frame.f_code).stored.get(before):
            place = (id(frame.f_code), before)
            times = self._times[place] = self._times.get(place, 0) + 1
            if times <= _MOST_TIMES or times % _EACH == 0 or line is None:
                left_out[before] = None
            else:
                self._left_out.setdefault(id(frame), {})[before] = None
        for each in left_out:
            self._look(frame, each)
        if line is None:
            self._wrong_names.pop(id(frame), None)

    def _look(self, frame: FrameType, before: int) -> None:
        lines = jax_frames.lines_of(frame.f_code)
        names = lines.stored.get(before, ())
        values = frame.f_locals
        before_it = self._wrong_names.setdefault(id(frame), set())
        after_it = before_it - {*names}
        for name in dict.fromkeys(names):
            value = values.get(name, frame.f_globals.get(name))
            parts = list(jax_frames.parts_of(value))
            wrong = [each for each in parts if self._is_wrong(each)]
            if any(map(self._is_known_wrong, parts)):
                after_it.add(name)
            if not wrong or "nan" in lines.of_statement(lines.mentioned, before):
                continue
            if self._is_new(frame, before, before_it, value):
                place = Frame(frame.f_code.co_filename, before)
                self._note(_number_error(name, wrong[0], place))
        self._wrong_names[id(frame)] = after_it

    def _is_known_wrong(self, value: object) -> bool:
        known = self._known.get(id(value))
        return known is not None and known[1] and known[0]() is value

    def _is_wrong(self, value: object) -> TypeGuard[_Array]:
        """Whether an array has a NaN, and was not looked at yet."""
        if not isinstance(value, self._array) or isinstance(value, self._tracer):
            return False
        known = self._known.get(id(value))
        if known is not None and known[0]() is value:
            return False
        array: Any = value
        found = _has_nan(array)
        self._known[id(value)] = (weakref.ref(value), found)
        self._has_wrong = self._has_wrong or found
        return found

    def _is_new(self, frame: FrameType, line: int, wrong: set[str], stored: object) -> bool:
        """Whether no variable that the statement has read had a NaN before, nor one that is read by
        a statement from which the function was called.
        """
        if self._reads_wrong(frame, line, wrong, stored):
            return False
        above = frame.f_back
        while above is not None:
            names = self._wrong_names.get(id(above), set[str]())
            if jax_frames.is_of_program(above) and self._reads_wrong(
                above, above.f_lineno, names, stored
            ):
                return False
            above = above.f_back
        return True

    def _reads_wrong(self, frame: FrameType, line: int, wrong: set[str], stored: object) -> bool:
        lines = jax_frames.lines_of(frame.f_code)
        loaded = lines.of_statement(lines.loaded, line)
        if not wrong.isdisjoint(loaded):
            return True
        values = frame.f_locals
        for name in loaded:
            value = values.get(name, frame.f_globals.get(name))
            if value is stored:
                continue
            if any(map(self._is_known_wrong, jax_frames.parts_of(value))):
                return True
        return False


def _has_nan(value: _Array) -> bool:
    if value.dtype.kind not in "fcV" or value.nbytes > _MOST_BYTES or value.is_deleted():
        return False
    try:
        return bool(host.np.isnan(host.np.asarray(value)).any())
    except Exception:  # Not all of it lies on this machine, or its dtype has no NaN.
        return False


def _number_error(name: str, value: _Array, place: Frame) -> InvalidNumberError:
    form = jax_frames.form_of_array(value)
    return InvalidNumberError(f"invalid value (nan) in `{name}`, which holds {form}", frame=place)


_NOT_USING: Final = frozenset(("clone", "fold_in", "key_data", "key_impl", "wrap_key_data"))
"""Functions of `jax.random` that do not use their key up."""


class Keys(jax_frames.Watch):
    """Finds keys that the program's lines use twice."""

    def __init__(self, note: Callable[[Exception], None]) -> None:
        self._note: Final = note
        self._codes: dict[CodeType, str] | None = None
        self._used: Final[dict[int, tuple[weakref.ref[Any], Frame]]] = {}

    def asked(self, frame: FrameType, caller: FrameType) -> None:
        """Notes the key that a function of `jax.random` takes."""
        if self._codes is None:
            self._codes = _random_functions()
        name = self._codes.get(frame.f_code)
        key: Any = None if name is None else frame.f_locals.get("key")
        if name is None or getattr(key, "shape", None) not in ((), (2,), (4,)):
            return
        place = Frame(caller.f_code.co_filename, caller.f_lineno)
        known = self._used.get(id(key))
        if known is None or known[0]() is not key:
            self._used[id(key)] = (weakref.ref(key), place)
            return
        self._note(
            KeyReuseError(
                f"A key that was used up is used again, by jax.random.{name}",
                detail=f"The key was used before on line {known[1]}",
                frame=place,
            )
        )


def _random_functions() -> dict[CodeType, str]:
    """Returns the codes of the functions of `jax.random` that use a key up, with their names."""
    random = importlib.import_module("jax.random")
    found: dict[CodeType, str] = {}
    for name, value in vars(random).items():
        inner = inspect.unwrap(value) if callable(value) else None
        code = getattr(inner, "__code__", None)
        if not isinstance(code, CodeType) or name in _NOT_USING or name.startswith("_"):
            continue
        if code.co_varnames[: code.co_argcount][:1] == ("key",):
            found[code] = name
    return found
