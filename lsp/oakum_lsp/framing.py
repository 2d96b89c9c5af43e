r"""Frames of messages on a byte stream: `Content-Length: 12`, an empty line, then so many bytes.

The server speaks so with the editor, and with the process that analyses.

Invariants:
- A frame is answered by exactly one event; after `Broken` and `End` nothing more is read, because
  nobody knows where the next frame would begin.
- No more than `LARGEST_MESSAGE` bytes of a message are held; a larger one is read and dropped.
- Lines that end with `\n` alone are taken as well as those that end with `\r\n`.
"""

import os
import re
import time
from collections.abc import Iterator
from typing import Final

from oakum.values.records import dataclass

LARGEST_MESSAGE: Final = 64 * 1024 * 1024
"""Bytes: a document of the largest size that is analysed, 8 MiB, with all its characters escaped as
JSON allows, takes 48 MiB."""

_LARGEST_SKIPPED: Final = 1024 * 1024 * 1024
"""A length above this is no message, but garbage where the length should stand."""

_LONGEST_LINE: Final = 4096
_MOST_LINES: Final = 64
_CHUNK: Final = 256 * 1024
_FIELD: Final = re.compile(rb"([A-Za-z0-9-]+)[ \t]*:[ \t]*(.*)\Z", re.DOTALL)
_CHARSET: Final = re.compile(rb"charset\s*=\s*\"?([\w-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Body:
    """The bytes of one message."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """A message that is not read, for the stated reason; the next one is."""

    reason: str


@dataclass(frozen=True, slots=True)
class Broken:
    """What came is no frame: nothing more can be read."""

    reason: str


@dataclass(frozen=True, slots=True)
class End:
    """The other side has closed the stream between two frames."""


Event = Body | Refused | Broken | End


class Reader:
    """Reads frames from a file descriptor.

    `waits_since` shows another thread how long the rest of a begun frame has been missing: a wrong
    length cannot be seen in any other way.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = bytearray()
        self._ended = False
        self._begun: float | None = None

    def waits_since(self) -> float | None:
        """The `time.monotonic()` of the last byte of a frame that is not complete; else None."""
        return self._begun

    def events(self) -> Iterator[Event]:
        """What comes on the stream, up to its end or to what is no frame."""
        while True:
            event = self._next()
            yield event
            if isinstance(event, (Broken, End)):
                return

    def _next(self) -> Event:
        self._begun = time.monotonic() if self._buffer else None
        fields = self._header()
        if not isinstance(fields, dict):
            return fields
        length = _length(fields)
        if isinstance(length, str):
            return Broken(length)
        if length > LARGEST_MESSAGE:
            return self._skip(length)
        while len(self._buffer) < length:
            if not self._read():
                return Broken(f"the stream ended within a message of {length} bytes")
        data = bytes(self._buffer[:length])
        del self._buffer[:length]
        self._begun = None
        charset = _CHARSET.search(fields.get(b"content-type", b""))
        if charset is not None and charset[1].lower() not in (b"utf-8", b"utf8"):
            return Refused(f"the encoding {charset[1].decode()} is not supported, only utf-8")
        return Body(data)

    def _header(self) -> dict[bytes, bytes] | Broken | End:
        fields: dict[bytes, bytes] = {}
        for _ in range(_MOST_LINES):
            line = self._line()
            if line is None:
                between = not self._buffer and not fields
                return End() if between else Broken("the stream ended within a header")
            if not line:
                return fields or Broken("a header is empty")
            field = _FIELD.match(line)
            if field is None or len(line) > _LONGEST_LINE:
                return Broken("a line of a header is not `Name: value`")
            name = field[1].lower()
            if fields.setdefault(name, field[2]) != field[2]:
                return Broken(f"a header has two values of {name.decode()}")
        return Broken("a header has too many lines")

    def _line(self) -> bytes | None:
        """The next line without its end; longer than allowed if no end has come in that length."""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > _LONGEST_LINE:
                return bytes(self._buffer)
            if not self._read():
                return None
        line = bytes(self._buffer[:end]).removesuffix(b"\r")
        del self._buffer[: end + 1]
        return line

    def _skip(self, length: int) -> Event:
        rest = length
        while rest > 0:
            taken = min(rest, len(self._buffer))
            del self._buffer[:taken]
            rest -= taken
            if rest and not self._read():
                return Broken(f"the stream ended within a message of {length} bytes")
        self._begun = None
        return Refused(
            f"the message has {length} bytes, more than {LARGEST_MESSAGE // 1024 // 1024} MiB"
        )

    def _read(self) -> bool:
        """Waits for bytes; false where no more will come."""
        if self._ended:
            return False
        try:
            data = os.read(self._descriptor, _CHUNK)
        except OSError:
            data = b""
        self._ended = not data
        if data:
            self._begun = time.monotonic()
        self._buffer += data
        return bool(data)


def _length(fields: dict[bytes, bytes]) -> int | str:
    """The length in a header, or what is wrong with it."""
    stated = fields.get(b"content-length")
    if stated is None:
        return "a header has no Content-Length"
    digits = stated.strip()
    if not re.fullmatch(rb"[0-9]{1,19}", digits) or int(digits) > _LARGEST_SKIPPED:
        shown = digits[:20].decode("ascii", "replace")
        return f"a Content-Length is not the size of a message: {shown!r}"
    return int(digits)


def frame(body: bytes) -> bytes:
    r"""The frame of a message.

    >>> frame(b"{}")
    b'Content-Length: 2\r\n\r\n{}'
    """
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def write(descriptor: int, body: bytes) -> None:
    """Writes the frame of a message; raises OSError where nobody reads."""
    view = memoryview(frame(body))
    while view:
        view = view[os.write(descriptor, view) :]
