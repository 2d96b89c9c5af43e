"""Structures of built-in containers as bytes: the protocol buffer that JAX writes.

A message holds the nodes in postorder (field 1) and the distinct keys of dictionaries (field 2);
a node its arity (1), its kind (2) and the numbers of its keys (3, a message with field 1). Fields
that are zero or empty are left out, as protocol buffers of version 3 do.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from oakum.pytrees.node_types import DICT, LIST, NONE, TUPLE, Entry, NodeKind

_LEAF: Final = 1
_NUMBERS: Final[dict[NodeKind, int]] = {LIST: 2, NONE: 3, TUPLE: 4, DICT: 5}
_KINDS: Final = {number: kind for kind, number in _NUMBERS.items()}


def write(entries: Sequence[Entry]) -> bytes:
    """Writes a structure whose containers are built in."""
    strings: dict[str, int] = {}
    nodes = b"".join(_field(1, _node(entry, strings)) for entry in _postorder(entries))
    return nodes + b"".join(_field(2, string.encode()) for string in strings)


def _postorder(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Nodes in preorder, put into postorder."""
    above: list[tuple[Entry, int]] = []
    for entry in entries:
        above.append((entry, 0 if entry is None else entry[1]))
        while above and above[-1][1] == 0:
            yield above.pop()[0]
            if above:
                above[-1] = above[-1][0], above[-1][1] - 1


def _node(entry: Entry, strings: dict[str, int]) -> bytes:
    if entry is None:
        return _number(2, _LEAF)
    kind, count, keys = entry
    number = _NUMBERS.get(kind)
    if number is None:
        raise ValueError(
            "User-defined nodes are not supported when serializing pytrees as protocol buffers, "
            f"and the structure has a {kind.container!r}. Convert it to a tuple, list or dict, or "
            "use pickle"
        )
    message = (_number(1, count) if count else b"") + _number(2, number)
    if kind is not DICT:
        return message
    if not all(isinstance(key, str) for key in keys):
        raise ValueError(
            "Only string keys are supported in proto pytree serialization, and the structure has "
            f"a dictionary with the keys {[*keys]!r}. Use pickle"
        )
    numbers = b"".join(_varint(strings.setdefault(key, len(strings))) for key in keys)
    return message + _field(3, _field(1, numbers)) if numbers else message


def _varint(value: int) -> bytes:
    """Returns an integer in groups of seven bits, the lowest first; the top bit says that more
    follow.
    """
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _field(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def read(data: bytes) -> list[Entry]:
    """Reads what `write` wrote."""
    try:
        fields = list(_fields(data))
        strings = [value.decode() for field, value in fields if field == 2]
        subtrees: list[list[Entry]] = []
        for field, value in fields:
            if field == 1:
                entry = _read_node(value, strings)
                count = 0 if entry is None else entry[1]
                if count > len(subtrees):
                    raise ValueError("a node has more children than there are before it")
                below = subtrees[len(subtrees) - count :]
                del subtrees[len(subtrees) - count :]
                subtrees.append([entry, *(each for subtree in below for each in subtree)])
        (entries,) = subtrees
    except (IndexError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise RuntimeError(
            "the bytes hold no structure of a tree: give what serialize_using_proto returned"
        ) from error
    return entries


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Yields the numbers and the values of the fields of a message."""
    at = 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        value, at = _read_varint(data, at)
        if tag & 7 == 2:
            start, at = at, at + value
            if at > len(data):
                raise ValueError("the last field is cut off")
            yield tag >> 3, data[start:at]
        elif tag & 7 == 0:
            yield tag >> 3, value
        else:
            raise ValueError(f"a field has the wire type {tag & 7}")


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Returns an integer, and where it ends."""
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | data[at] << shift, at + 1


def _read_node(message: bytes, strings: Sequence[str]) -> Entry:
    fields = dict(_fields(message))
    if fields[2] == _LEAF:
        return None
    kind = _KINDS[fields[2]]
    count: int = fields.get(1, 0)
    if kind is not DICT:
        return kind, count, None
    packed: bytes = dict(_fields(fields.get(3, b""))).get(1, b"")
    keys: list[str] = []
    at = 0
    while at < len(packed):
        number, at = _read_varint(packed, at)
        keys.append(strings[number])
    if len(keys) != count:
        raise ValueError("a dictionary has another number of keys than of children")
    return kind, count, tuple(keys)
