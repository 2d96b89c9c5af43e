"""Readers of parameters: they take what the client sent apart, and check it as they go.

Each says in its error where in the parameters something else stands than the protocol has there.
"""

from collections.abc import Sequence
from typing import cast

from oakum_lsp.messages import ErrorCode, ResponseError
from oakum_lsp.protocol import Position, Range

_LARGEST_UINTEGER = 2**31 - 1


class InvalidParamsError(ResponseError):
    """Parameters that are not what the method takes."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.INVALID_PARAMS, message)


class Reader:
    """A part of the parameters, and where it stands in them."""

    __slots__ = ("_where", "value")

    def __init__(self, value: object, where: str = "params") -> None:
        self.value = value
        self._where = where

    def _refuse(self, expected: str) -> InvalidParamsError:
        return InvalidParamsError(f"{self._where} has to be {expected}")

    def has(self, name: str) -> bool:
        """Whether an object has a member that is not null."""
        return self._object().get(name) is not None

    def member(self, name: str) -> "Reader":
        """A member of an object; one that is absent reads as null."""
        return Reader(self._object().get(name), f"{self._where}.{name}")

    def _object(self) -> dict[str, object]:
        value = self.value
        if not isinstance(value, dict):
            raise self._refuse("an object")
        return cast("dict[str, object]", value)

    def items(self) -> Sequence["Reader"]:
        """The items of an array."""
        value = self.value
        if not isinstance(value, list):
            raise self._refuse("an array")
        items = cast("list[object]", value)
        return [Reader(item, f"{self._where}[{place}]") for place, item in enumerate(items)]

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self._refuse("a string")
        return self.value

    def integer(self) -> int:
        """An integer."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self._refuse("an integer")
        return self.value

    def position(self) -> Position:
        """A position in a document."""
        line, character = self.member("line").integer(), self.member("character").integer()
        if not (0 <= line <= _LARGEST_UINTEGER and 0 <= character <= _LARGEST_UINTEGER):
            raise self._refuse("a position, which counts from 0")
        return Position(line=line, character=character)

    def range(self) -> Range:
        """A range of a document."""
        return Range(start=self.member("start").position(), end=self.member("end").position())


def document_uri(params: object) -> str:
    """The document that a message is about."""
    return Reader(params).member("textDocument").member("uri").text()
