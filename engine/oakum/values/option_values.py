"""Options as values: one for the process, replaced for a thread while a block runs.

Invariants:
- Reading an option is one look-up of a context variable; the environment is read when the value of
  the process is first asked for, so importing declarations reads nothing.
- `trace_key()` is the same object whenever all traced options are equal.
"""

from __future__ import annotations

import enum
import itertools
import os
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, Generic, TypeVar

from oakum.values import trace_context
from oakum.values.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the values of an option: from Python, and from text of the environment.

    Both functions take the option's name and raise ValueError or TypeError that says what is
    allowed.
    """

    value: Callable[[str, Any], Any]
    text: Callable[[str, str], Any]


TRUE: Final = frozenset("y yes t true on 1".split())
FALSE: Final = frozenset("n no f false off 0".split())


def _got(value: object) -> str:
    return f"got {value!r} of type {type(value).__name__}"


def _truth_of_text(name: str, text: str) -> bool:
    if (word := text.strip().lower()) in TRUE:
        return True
    if word in FALSE:
        return False
    raise ValueError(
        f"{name}: invalid truth value {text!r}; use one of 1, true, yes, on, or 0, false, no, off"
    )


def _truth(name: str, value: object) -> bool:
    if isinstance(value, str):
        return _truth_of_text(name, value)
    if value is None or hasattr(value, "__bool__"):
        return bool(value)
    raise TypeError(f"{name}: new value must be True or False, {_got(value)}")


TRUTH: Final = Reader(_truth, _truth_of_text)


def one_of(allowed: Sequence[str], *, optional: bool = False) -> Reader:
    """Reads one of some words, or also None."""
    choices = list(allowed)

    def read(name: str, value: object) -> str | None:
        if (optional and value is None) or (type(value) is str and value in choices):
            return value
        among = "None or in" if optional else "in"
        raise ValueError(f"{name}: new enum value must be {among} {choices}, {_got(value)}")

    def read_text(name: str, text: str) -> str:
        if text in choices:
            return text
        raise ValueError(f"{name}: invalid value {text!r}; use one of {', '.join(choices)}")

    return Reader(read, read_text)


def member_of(members: type[enum.Enum]) -> Reader:
    """Reads a member of an enumeration, or its name in small letters."""
    words = ", ".join(repr(member.name.lower()) for member in members)

    def find(name: str, text: str) -> enum.Enum:
        for member in members:
            if member.name.lower() == text:
                return member
        raise ValueError(f"{name}: invalid value {text!r}; use one of {words}")

    def read(name: str, value: object) -> enum.Enum:
        if isinstance(value, members):
            return value
        if isinstance(value, str):
            return find(name, value)
        raise TypeError(
            f"{name}: new enum value must be an instance of {members.__name__} or one of {words}, "
            f"{_got(value)}"
        )

    return Reader(read, find)


def _number_of(kind: type, word: str) -> Reader:
    taken = (int, float) if kind is float else int

    def read(name: str, value: object) -> Any:
        if value is None or isinstance(value, taken):
            return value
        raise ValueError(f"{name}: new {word} config value must be None or a number, {_got(value)}")

    def read_text(name: str, text: str) -> Any:
        try:
            return kind(text)
        except ValueError:
            raise ValueError(f"{name}: invalid value {text!r}; use a number ({word})") from None

    return Reader(read, read_text)


INTEGER: Final = _number_of(int, "int")
REAL: Final = _number_of(float, "float")


def _count(name: str, value: object) -> Any:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return value
    raise ValueError(f"{name}: new value must be None or a number above 0, {_got(value)}")


def _count_of_text(name: str, text: str) -> Any:
    if text.strip().isdecimal() and int(text) > 0:
        return int(text)
    raise ValueError(f"{name}: invalid value {text!r}; use a number above 0")


COUNT: Final = Reader(_count, _count_of_text)


def _text_of(optional: bool) -> Callable[[str, Any], str | None]:
    error = ValueError if optional else TypeError

    def read(name: str, value: object) -> str | None:
        if isinstance(value, str) or (optional and value is None):
            return value
        among = "None or of type str" if optional else "of type str"
        raise error(f"{name}: new string config value must be {among}, {_got(value)}")

    return read


def _same_text(_name: str, text: str) -> str:
    return text


TEXT: Final = Reader(_text_of(False), _same_text)
OPTIONAL_TEXT: Final = Reader(_text_of(True), _same_text)


def _hashable(name: str, value: object) -> Any:
    try:
        hash(value)
    except TypeError:
        raise TypeError(
            f"{name}: the value decides which compiled program is used and must be hashable; "
            f"{type(value).__name__} is not"
        ) from None
    return value


HASHABLE: Final = Reader(_hashable, _same_text)

PLATFORMS: Final = ("cpu", "gpu", "tpu")


def _device(name: str, value: object) -> Any:
    if value is None or value in PLATFORMS or "Device" in type(value).__name__:
        return value
    raise ValueError(
        f"{name}: jax.default_device must be passed a Device such as jax.devices('cpu')[0], the "
        f"name of a platform such as 'cpu', or None; {_got(value)}"
    )


DEVICE: Final = Reader(_device, _device)


class Unset(enum.Enum):
    """Stands where no value is set, since None is one."""

    UNSET = None


UNSET: Final = Unset.UNSET


class State(Generic[T]):
    """One option.

    `traced` says that it changes the result of tracing; `block_value` is what a block without a
    value sets; `changed` is called when the value of the process is set.
    """

    __slots__ = (
        "__name__",
        "_changed",
        "_default",
        "_local",
        "_of_process",
        "_reader",
        "block_value",
        "locked",
        "name",
        "traced",
    )

    def __init__(
        self,
        name: str,
        default: T,
        reader: Reader,
        *,
        traced: bool = False,
        block_value: object = UNSET,
        local: ContextVar[Any] | None = None,
        changed: Callable[[T], None] | None = None,
    ) -> None:
        self.name = name
        self.__name__ = name.removeprefix("jax_")
        self.traced = traced
        self.block_value = block_value
        self.locked: str | None = None
        """Why the value of the process cannot be set any more; None when it can."""
        self._default = default
        self._reader = reader
        self._of_process: Any = UNSET
        self._local: ContextVar[Any] = ContextVar(name, default=UNSET) if local is None else local
        self._changed = changed
        if traced:
            _traced.append(self)
            _forget_key()

    @property
    def value(self) -> T:
        """The value here: that of the innermost block of this thread, else of the process."""
        # Read some fifty times in a gradient outside `jit`: one call less for each is 2% of it.
        value = self._local.get()
        if value is UNSET:
            value = self._of_process
        return self.get_global() if value is UNSET else value

    def get_global(self) -> T:
        """Returns the value of the process, which the environment gives until it is set."""
        if self._of_process is UNSET:
            self._of_process = self._from_environment()
        return self._of_process

    def set_global(self, value: object) -> None:
        """Sets the value of the process."""
        if self.locked is not None:
            raise RuntimeError(self.locked)
        self._of_process = self.read(value)
        if self.traced:
            _forget_key()
        trace_context.renew()
        if self._changed is not None:
            self._changed(self._of_process)

    def follow(self, changed: Callable[[T], None]) -> None:
        """Has a function called with the value of the process whenever that is set from now on."""
        self._changed = changed

    def set_text(self, source: str, text: str) -> None:
        """Sets the value of the process to what a text says; `source` names where it stands."""
        self.set_global(self._reader.text(source, text))

    def read(self, value: object) -> T:
        """Checks a value and returns it as it is kept."""
        return self._reader.value(self.name, value)

    def swap_local(self, value: object) -> Any:
        """Sets the value of this thread, or with `UNSET` none, and returns the one before."""
        before = self._local.get()
        self._local.set(value)
        if self.traced:
            _cached_keys.set(None)
        trace_context.set_option(self, value, UNSET)
        return before

    def __call__(self, new_val: object = UNSET) -> Block:
        """Makes the block in which the option has another value."""
        if new_val is UNSET:
            new_val = self.block_value
        if new_val is UNSET:
            raise TypeError(f"{self.__name__}() requires an argument: the new value of {self.name}")
        return Block(((self, self.read(new_val)),))

    def __bool__(self) -> bool:
        raise TypeError(f"bool() of the option {self.name} says nothing; read its .value")

    def __repr__(self) -> str:
        return f"<option {self.name}>"

    def _from_environment(self) -> T:
        short = self.name.removeprefix("jax_").upper()
        fallback = self.name.upper()
        for variable in (f"OAKUM_{short}", fallback):
            if (text := os.environ.get(variable)) is not None:
                return self._reader.text(variable, text)
        return self._default


class Block:
    """Other values of options while a `with` statement or a decorated function runs."""

    __slots__ = ("_before", "_changes")

    def __init__(self, changes: tuple[tuple[State[Any], Any], ...]) -> None:
        self._changes = changes
        self._before: list[tuple[Any, ...]] = []

    def __enter__(self) -> None:
        self._before.append(tuple(state.swap_local(value) for state, value in self._changes))

    def __exit__(self, *_: object) -> None:
        for (state, _value), before in zip(self._changes, self._before.pop(), strict=True):
            state.swap_local(before)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the function, run in such a block whenever it is called."""

        @wraps(function)
        def run(*args: object, **kwargs: object) -> Any:
            with Block(self._changes):
                return function(*args, **kwargs)

        return run


class UserContext:
    """A switch of the user's own: programs compiled under one value are not used under another."""

    def __init__(self, default_value: object = None) -> None:
        self._state: State[Any] = State("user_context", default_value, HASHABLE, traced=True)

    @property
    def value(self) -> Any:
        """The value here."""
        return self._state.value

    def get_global(self) -> Any:
        """Returns the value outside of all blocks."""
        return self._state.get_global()

    def set_global(self, new_value: object) -> None:
        """Sets the value outside of all blocks."""
        self._state.set_global(new_value)

    def __call__(self, new_value: object) -> Block:
        """Makes the block in which the switch has another value."""
        return self._state(new_value)


class TraceKey:
    """The values of all traced options together, equal only to itself."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values

    def changes(self, before: TraceKey) -> list[tuple[str, Any, Any]]:
        """Returns the names of the options that differ from another key, with their values here and
        there; `UNSET` stands for the value of one that was not there yet.
        """
        *mine, wide = self.values
        *others, was_wide = before.values
        found = [("jax_enable_x64", wide, was_wide)] if wide != was_wide else []
        triples = itertools.zip_longest(mine, others, fillvalue=UNSET)
        pairs = zip(_traced, triples, strict=False)
        return found + [(state.name, *pair) for state, pair in pairs if pair[0] != pair[1]]

    def __repr__(self) -> str:
        shown = zip(_traced, self.values, strict=False)
        return "TraceKey(" + ", ".join(f"{state.name}={value!r}" for state, value in shown) + ")"


_traced: Final[list[State[Any]]] = []

X64: Final[ContextVar[bool | Unset | None]] = ContextVar("oakum_x64", default=UNSET)
"""The x64 switch of this thread, where a block sets one; None where it is not known."""

enable_x64: Final[State[bool]] = State("jax_enable_x64", False, TRUTH, block_value=True, local=X64)


def x64_enabled() -> bool | None:
    """Whether 64-bit dtypes are on here; None when that is not known."""
    switch = X64.get()
    return enable_x64.get_global() if switch is UNSET else switch


_keys: Final[dict[tuple[Any, ...], TraceKey]] = {}
_generations: Final = itertools.count(1)
_generation = 0
_cached_keys: ContextVar[tuple[int, TraceKey, TraceKey] | None] = ContextVar(
    "oakum_trace_key", default=None
)


def trace_key() -> TraceKey:
    """Returns all options that change the result of tracing, as one object compared by identity.

    >>> trace_key() is trace_key()
    True
    """
    cached = _cached_keys.get()
    if cached is None or cached[0] != _generation:
        cached = _find_keys()
    return cached[2] if x64_enabled() else cached[1]


def _find_keys() -> tuple[int, TraceKey, TraceKey]:
    """Finds the keys of this context without and with x64, which is switched by itself."""
    generation = _generation
    values = tuple(state.value for state in _traced)
    narrow, wide = (_keys.setdefault(k, TraceKey(k)) for k in ((*values, False), (*values, True)))
    found = generation, narrow, wide
    _cached_keys.set(found)
    return found


def _forget_key() -> None:
    """Invalidates the cached keys of all threads."""
    global _generation
    _generation = next(_generations)


def forget_keys() -> None:
    """Drops the values of blocks that have ended; functions are then traced again."""
    _keys.clear()
    _forget_key()
    trace_context.renew()
