"""Where the nodes of a LibCST tree stand in its text, as LibCST itself says.

Its provider prints the whole tree to find that out, at twice the cost of a parse: it is asked only
where the lowering meets a node that it does not know.
"""

from bisect import bisect_left
from itertools import accumulate
from typing import Any

import libcst as cst


class Spans:
    """Where the nodes of a tree stand in its text."""

    __slots__ = ("_before", "_spans")

    def __init__(self, text: str, tree: cst.Module) -> None:
        from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

        wrapper = MetadataWrapper(tree, unsafe_skip_copy=True)
        self._spans: Any = wrapper.resolve(ByteSpanPositionProvider)
        self._before = (
            None if text.isascii() else list(accumulate((len(c.encode()) for c in text), initial=0))
        )

    def of(self, node: Any) -> tuple[int, int]:
        """The start and end of a node, without the parentheses around it."""
        span = self._spans[node]
        return self._characters(span.start), self._characters(span.start + span.length)

    def start_of(self, node: Any) -> int:
        """Where a node begins, with the parentheses around it."""
        outer = getattr(node, "lpar", ())
        return self.of(outer[0] if isinstance(outer, tuple | list) and outer else node)[0]

    def _characters(self, count: int) -> int:
        """The offset in the text of an offset in its bytes."""
        return count if self._before is None else bisect_left(self._before, count)
