"""Walking syntax: all nodes of a piece of a program."""

from collections.abc import Iterable, Iterator
from typing import cast

from oakum.records import fields
from oakum_lint.facts.expression_nodes import Node


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes and all that is in them, in no order."""
    pending: list[object] = [*nodes]
    while pending:
        item = pending.pop()
        if isinstance(item, tuple):
            pending.extend(cast("tuple[object, ...]", item))
        elif isinstance(item, Node):
            yield item
            pending.extend(getattr(item, field.name) for field in fields(item))
