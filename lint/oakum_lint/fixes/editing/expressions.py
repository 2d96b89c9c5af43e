"""Expressions in fixes: where parentheses are needed, and what is known of a value from its form.

What is asked here is asked of the syntax alone, and answered with yes only where the form proves
it. Modules of array functions are known by their spelling at the site (see `spelling`).
"""

from typing import Final

from oakum_lint.fixes.site import Site
from oakum_lint.syntax import nodes
from oakum_lint.text.lexer import tokens

_TIGHT: Final = (
    nodes.Name,
    nodes.Attribute,
    nodes.Call,
    nodes.Subscript,
    nodes.Display,
    nodes.DictDisplay,
    nodes.Comprehension,
    nodes.FormattedString,
)
"""What no operator around it can take apart; a tuple without parentheses is dealt with below."""


def operand_text(site: Site, node: nodes.Expression) -> str:
    """The text of an expression as it may stand beside any operator."""
    text = site.text(node)
    if isinstance(node, nodes.Display) and node.kind == "tuple" and not is_enclosed(text):
        return f"({text})"
    is_tight = isinstance(node, _TIGHT) or (isinstance(node, nodes.Constant) and "\n" not in text)
    return text if is_tight else f"({text})"


def receiver_text(site: Site, node: nodes.Expression) -> str:
    """The text of an expression as it may stand before a dot."""
    is_number = isinstance(node, nodes.Constant) and not isinstance(node.value, str)
    return f"({site.text(node)})" if is_number else operand_text(site, node)


def argument_text(site: Site, node: nodes.Expression) -> str:
    """The text of an expression as it may stand among the arguments of a call."""
    text = site.text(node)
    if isinstance(node, nodes.Display) and node.kind == "tuple" and not is_enclosed(text):
        return f"({text})"
    if isinstance(node, nodes.Yield | nodes.NamedExpression | nodes.Starred):
        return f"({text})"
    return text


def is_enclosed(text: str) -> bool:
    """Whether the first bracket of a text is closed by its last character.

    >>> is_enclosed("(i, j)"), is_enclosed("(i), (j)")
    (True, False)
    """
    depth = 0
    for kind, _, end in tokens(text):
        depth += (kind == "open") - (kind == "close")
        if kind == "close" and depth == 0:
            return end == len(text)
    return False
