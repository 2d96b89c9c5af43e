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
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any, Final, Protocol, TypeGuard

from oakum.api.checks import jax_frames
from oakum.errors import Frame, InvalidNumberError, KeyReuseError
from oakum.values import host

_MOST_BYTES: Final = 1 << 26
"""Arrays that are larger are not looked into: 64 MiB take 20 ms."""


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

    def stepped(self, frame: FrameType, before: int | None, line: int | None) -> None:
        """Looks at what the last line has stored."""
        lines = jax_frames.lines_of(frame.f_code)
        names = lines.stored.get(before or 0, ())
        if not names:
            return
        values = frame.f_locals
        for name in dict.fromkeys(names):
            value = values.get(name, frame.f_globals.get(name))
            wrong = next(
                (each for each in jax_frames.parts_of(value) if self._is_wrong(each)), None
            )
            if wrong is None or "nan" in lines.mentioned.get(before or 0, ()):
                continue
            if self._is_new(frame, lines.loaded.get(before or 0, ()), value):
                place = Frame(frame.f_code.co_filename, before or 0)
                self._note(_number_error(name, wrong, place))

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
        return found

    def _is_new(self, frame: FrameType, loaded: Iterable[str], stored: object) -> bool:
        """Whether no variable that the line has read had a NaN before."""
        values = frame.f_locals
        for name in loaded:
            value = values.get(name, frame.f_globals.get(name))
            if value is stored:
                continue
            for each in jax_frames.parts_of(value):
                known = self._known.get(id(each))
                if known is not None and known[0]() is each and known[1]:
                    return False
        return True


def _has_nan(value: _Array) -> bool:
    if value.dtype.kind not in "fcV" or value.nbytes > _MOST_BYTES or value.is_deleted():
        return False
    try:
        return bool(host.np.isnan(host.np.asarray(value)).any())
    except Exception:  # Not all of it lies on this machine, or its dtype has no NaN.
        return False


def _number_error(name: str, value: _Array, place: Frame) -> InvalidNumberError:
    shape = ",".join(map(str, value.shape))
    return InvalidNumberError(
        f"invalid value (nan) in `{name}`, which holds {value.dtype.name}[{shape}]", frame=place
    )


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
