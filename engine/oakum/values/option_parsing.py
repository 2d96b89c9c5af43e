"""What values an option takes, from Python and from the environment."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Reader:
    """How the values of an option are read: from Python, and from text of the environment.

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
