"""Walking syntax: all nodes of a piece of a program."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, Literal, cast, get_origin

from oakum.values.records import fields
from oakum_lint.syntax.expression_nodes import Node
from oakum_lint.syntax.statement_nodes import ClassDefinition, FunctionDefinition, Return


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes and all that is in them, in no order."""
    pending = [*nodes]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(parts_in(node))


def returns_of(body: Iterable[Node]) -> list[Return]:
    """The `return` statements of a function with that body, in their order; those of functions
    within it are not its own.
    """
    found = [node for node in walk_own(body) if isinstance(node, Return)]
    return sorted(found, key=lambda node: node.start)


def walk_own(body: Iterable[Node]) -> Iterator[Node]:
    """The nodes of a function with that body, in no order, but for what stands in functions and
    classes within it, which have names of their own.
    """
    pending = [*body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ClassDefinition | FunctionDefinition):
            pending.extend(parts_in(node))


def parts_in(node: Node) -> Iterator[Node]:
    """The nodes that are parts of a node itself."""
    for name in parts_of(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            items = cast("tuple[object, ...]", value)
            yield from (item for item in items if isinstance(item, Node))


@cache
def parts_of(kind: type[Node]) -> tuple[str, ...]:
    """The names of the fields in which a node may hold nodes."""
    names = (field.name for field in fields(kind) if not _is_plain(field.type))
    return tuple("body" if name == "statements" else name for name in names)


_PLAIN: Final = frozenset[object]({bool, int, object, str, str | None, tuple[str, ...]})


def _is_plain(annotation: object) -> bool:
    """Whether a field holds no nodes, by its annotation."""
    return get_origin(annotation) is Literal or annotation in _PLAIN
