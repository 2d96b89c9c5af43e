"""Where the nodes of a LibCST tree stand in its text, as LibCST itself says.

Its provider prints the whole tree to find that out, at twice the cost of a parse: it is asked only
where the lowering meets a node that it does not know.
"""

from bisect import bisect_left
from itertools import accumulate
from typing import Any, Final

from oakum_lint.syntax.lowering.plain_tree import PlainNode, cst

_SEQUENCES: Final = (list, tuple)


class Spans:
    """Where the nodes of a plain tree stand in its text, and in which order."""

    __slots__ = ("_before", "_classes", "_plain", "_real", "_spans")

    def __init__(self, text: str, tree: cst.Module) -> None:
        import libcst
        from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

        wrapper = MetadataWrapper(libcst.parse_module(text), unsafe_skip_copy=True)
        self._classes = libcst.BaseExpression, libcst.BaseSuite
        self._spans: Any = wrapper.resolve(ByteSpanPositionProvider)
        self._before = (
            None if text.isascii() else list(accumulate((len(c.encode()) for c in text), initial=0))
        )
        self._real: dict[int, Any] = {}
        """LibCST's own nodes, by the identities of the plain ones."""
        self._plain: dict[int, Any] = {}
        pairs: list[tuple[Any, Any]] = [(tree, wrapper.module)]
        while pairs:
            plain, real = pairs.pop()
            if isinstance(plain, PlainNode):
                self._real[id(plain)], self._plain[id(real)] = real, plain
                pairs += [(held, getattr(real, name)) for name, held in vars(plain).items()]
            elif type(plain) in _SEQUENCES:
                pairs += zip(plain, real, strict=True)

    def of(self, node: Any) -> tuple[int, int]:
        """The start and end of a node, without the parentheses around it."""
        span = self._spans[self._real[id(node)]]
        return self._characters(span.start), self._characters(span.start + span.length)

    def is_expression(self, node: Any) -> bool:
        """Whether LibCST takes a node for an expression."""
        return isinstance(self._real[id(node)], self._classes[0])

    def is_suite(self, node: Any) -> bool:
        """Whether it takes a node for the block of a statement."""
        return isinstance(self._real[id(node)], self._classes[1])

    def start_of(self, node: Any) -> int:
        """Where a node begins, with the parentheses around it."""
        outer = getattr(node, "lpar", ())
        return self.of(outer[0] if isinstance(outer, tuple | list) and outer else node)[0]

    def parts_of(self, node: Any) -> list[Any]:
        """The nodes directly in a node, in source order."""
        children = self._real[id(node)].children
        return [self._plain[id(child)] for child in children if id(child) in self._plain]

    def _characters(self, count: int) -> int:
        """The offset in the text of an offset in its bytes."""
        return count if self._before is None else bisect_left(self._before, count)
