"""Lowers LibCST trees to the compact syntax tree of `nodes`, with positions, in one walk.

Importing this package imports libcst, so `parse` does it only when a unit has to be parsed.
"""

import libcst as cst

from oakum_lint.facts import nodes
from oakum_lint.facts.lowering import atoms, displays, links, strings
from oakum_lint.facts.lowering.compound import block
from oakum_lint.facts.lowering.cursor import Cursor
from oakum_lint.facts.lowering.dispatch import LEAVES, LINKS

LEAVES.update(atoms.ATOMS)
LEAVES.update(displays.DISPLAYS)
LEAVES.update(strings.STRINGS)
LINKS.update(links.LINKS)


def lower(text: str, tree: cst.Module) -> tuple[nodes.Statement, ...]:
    """Lowers the tree that LibCST made of `text`; offsets count from the start of `text`.

    >>> text = "x = 1 + y"
    >>> (assignment,) = lower(text, cst.parse_module(text))
    >>> assignment.value.left, assignment.value.right.start
    (Constant(start=4, end=5, value=1), 8)
    """
    return block(Cursor(text), tree.body)


__all__ = ["lower"]
