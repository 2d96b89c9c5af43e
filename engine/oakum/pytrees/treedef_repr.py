"""Structures as text, in the form that JAX prints: `{'a': *, 'b': (*, None)}`."""

from collections.abc import Sequence
from typing import Any

from oakum.pytrees.node_types import DICT, LIST, NAMED_TUPLE, NONE, TUPLE, Entry, NodeKind


def text(entries: Sequence[Entry]) -> str:
    """Returns the text of a structure, of any depth."""
    words: list[str] = []
    above: list[_OpenNode] = []
    for entry in entries:
        if above:
            words.append(above[-1].before_child())
        if entry is None:
            words.append("*")
        else:
            opening, closing = _brackets(entry)
            words.append(opening)
            above.append(_OpenNode(entry, closing))
        while above and above[-1].is_full():
            words.append(above.pop().closing)
    return "".join(words)


class _OpenNode:
    """A container some of whose children are still to be written."""

    def __init__(self, entry: tuple[NodeKind, int, Any], closing: str) -> None:
        self.kind, self.count, self.data = entry
        self.closing = closing
        self.written = 0

    def before_child(self) -> str:
        """Returns the text before the next child, and counts that child as written."""
        comma = ", " if self.written else ""
        key = f"{self.data[self.written]!r}: " if self.kind is DICT else ""
        self.written += 1
        return comma + key

    def is_full(self) -> bool:
        """Whether all children are written."""
        return self.written == self.count


def _brackets(entry: tuple[NodeKind, int, Any]) -> tuple[str, str]:
    """Returns the text before the children of a container, and the text after them."""
    kind, count, data = entry
    if kind is TUPLE:
        return "(", ",)" if count == 1 else ")"
    if kind is LIST:
        return "[", "]"
    if kind is DICT:
        return "{", "}"
    if kind is NONE:
        return "None", ""
    if kind is NAMED_TUPLE:
        return f"CustomNode(namedtuple[{data.__name__}], [", "])"
    return f"CustomNode({kind.container.__name__}[{data}], [", "])"
