"""Walking syntax: all nodes of a piece of a program."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import cast

from oakum.values.records import fields
from oakum_lint.syntax.expression_nodes import Node


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes and all that is in them, in no order."""
    pending = [*nodes]
    while pending:
        node = pending.pop()
        yield node
        for name in parts_of(type(node)):
            value = getattr(node, name)
            if isinstance(value, Node):
                pending.append(value)
            elif isinstance(value, tuple):
                items = cast("tuple[object, ...]", value)
                pending.extend([item for item in items if isinstance(item, Node)])


@cache
def parts_of(kind: type[Node]) -> tuple[str, ...]:
    """The names of the fields in which a node may hold nodes."""
    return tuple(field.name for field in fields(kind) if field.name not in ("start", "end"))
