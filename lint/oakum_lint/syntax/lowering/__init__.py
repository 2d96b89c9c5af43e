"""Lowers LibCST trees to the compact syntax tree of `nodes`, with positions, in one walk.

Importing this package loads LibCST's parser, so `parse` does it only when a unit has to be parsed.
"""

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering import atoms, displays, links, strings
from oakum_lint.syntax.lowering.compound import block
from oakum_lint.syntax.lowering.cursor import Cursor
from oakum_lint.syntax.lowering.dispatch import LEAVES, LINKS
from oakum_lint.syntax.lowering.plain_tree import Refused, cst, parse_module
from oakum_lint.syntax.lowering.spans import Spans

Failures = list[tuple[int, int, Exception]]
"""Where statements begin and end, and what went wrong."""

LEAVES.update(atoms.ATOMS)
LEAVES.update(displays.DISPLAYS)
LEAVES.update(strings.STRINGS)
LINKS.update(links.LINKS)


def lower(text: str, tree: cst.Module) -> tuple[tuple[nodes.Statement, ...], Failures]:
    """Lowers the tree that LibCST made of `text`; offsets count from the start of `text`. With it
    come the statements on which the lowering failed, which are unknown.

    >>> text = "x = 1 + y"
    >>> ((assignment,), _) = lower(text, parse_module(text))
    >>> assignment.value.left, assignment.value.right.start
    (Constant(start=4, end=5, value=1), 8)
    """
    made: list[Spans] = []

    def spans() -> Spans:
        if not made:
            made.append(Spans(text, tree))
        return made[0]

    cursor = Cursor(text, spans)
    return block(cursor, tree.body), cursor.failures


__all__ = ["Refused", "lower", "parse_module"]
