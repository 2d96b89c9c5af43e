"""Profiles as messages of XSpace, the protocol buffers that TensorBoard's profile plugin reads.

The form is that of `xplane.proto` in OpenXLA: a space holds planes, a plane lines, a line events.
Names of events and of what is said of them stand once for a plane. Only what a profile here has is
written, so there is no need of a library: a message is a list of fields, each of which is a number
or some bytes behind their length.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from oakum.tracing.profile_spans import Argument, Recording, Span

PLANE: Final = "/host:CPU"
"""The plane of what the host does, by the name that viewers look for."""

_PICOSECONDS: Final = 1_000_000_000_000


def encode(recording: Recording, host: str) -> bytes:
    """Returns a recording as the message of a space."""
    lines: defaultdict[int, list[Span]] = defaultdict(list)
    for span in recording.spans:
        lines[span.thread].append(span)
    names = _Names(span.name for span in recording.spans)
    stats = _Names(name for span in recording.spans for name in ("kind", *span.arguments))
    plane = [_number(1, 1), _text(2, PLANE)]
    for thread, spans in lines.items():
        plane.append(_bytes(3, _line(recording, thread, spans, names, stats)))
    plane += [*names.metadata(4), *stats.metadata(5)]
    return b"".join((_bytes(1, b"".join(plane)), _text(4, host)))


class _Names:
    """Texts that are named by numbers, from one on."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.numbers = {text: number for number, text in enumerate(dict.fromkeys(texts), 1)}

    def metadata(self, field: int) -> Iterator[bytes]:
        """Yields the entries of a map from numbers to what they name."""
        for text, number in self.numbers.items():
            message = _number(1, number) + _text(2, text)
            yield _bytes(field, _number(1, number) + _bytes(2, message))


def _line(
    recording: Recording, thread: int, spans: Sequence[Span], names: _Names, stats: _Names
) -> bytes:
    found = [
        _number(1, thread & 0x7FFF_FFFF),
        _text(2, recording.threads[thread]),
    ]
    for span in sorted(spans, key=lambda span: (span.begin, -span.end)):
        event = [
            _number(1, names.numbers[span.name]),
            _number(2, int((span.begin - recording.begun) * _PICOSECONDS)),
            _number(3, int((span.end - span.begin) * _PICOSECONDS)),
        ]
        said: Mapping[str, Argument] = {"kind": span.kind, **span.arguments}
        event += (_bytes(4, _stat(stats.numbers[name], value)) for name, value in said.items())
        found.append(_bytes(4, b"".join(event)))
    return b"".join(found)


def _stat(name: int, value: Argument) -> bytes:
    match value:
        case int():
            return _number(1, name) + _number(4, int(value))
        case float():
            return _number(1, name) + _key(2, 1) + struct.pack("<d", value)
        case _:
            return _number(1, name) + _text(5, value)


def _key(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _number(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value & 0xFFFF_FFFF_FFFF_FFFF)


def _bytes(field: int, value: bytes) -> bytes:
    return _key(field, 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode("utf-8", "replace"))


def _varint(value: int) -> bytes:
    """Returns a number in groups of seven bits, the lowest first."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
