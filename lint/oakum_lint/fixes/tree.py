"""Walks over the compact syntax tree, and ways through it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import cast

from oakum.values.records import dataclass
from oakum_lint.fixes.kept import keep
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_of

DEFINITIONS = (nodes.FunctionDefinition, nodes.ClassDefinition, nodes.Lambda)
"""What has a scope of its own that is entered later."""
FUNCTIONS = (nodes.FunctionDefinition, nodes.Lambda)


def children(node: nodes.Node) -> Iterator[nodes.Node]:
    """The nodes directly below a node."""
    for name in parts_of(type(node)):
        value = getattr(node, name)
        if isinstance(value, nodes.Node):
            yield value
        elif isinstance(value, tuple):
            for item in cast("tuple[object, ...]", value):
                if isinstance(item, nodes.Node):
                    yield item


def walk(*roots: nodes.Node, into: bool = True) -> Iterator[nodes.Node]:
    """The nodes and all below them; without `into`, not what is inside functions and classes."""
    pending = list(reversed(roots))
    while pending:
        node = pending.pop()
        yield node
        if into or not isinstance(node, DEFINITIONS):
            pending.extend(reversed(list(children(node))))


def functions_in(*roots: nodes.Node) -> Iterator[nodes.FunctionDefinition | nodes.Lambda]:
    """The functions in some nodes, methods too; not those within functions."""
    pending = [*roots]
    while pending:
        for node in walk(pending.pop(), into=False):
            if isinstance(node, FUNCTIONS):
                yield node
            elif isinstance(node, nodes.ClassDefinition):
                pending += children(node)


def way_to(
    body: Sequence[nodes.Node], start: int, end: int, known: Sequence[nodes.Node] = ()
) -> tuple[nodes.Node, ...]:
    """The nodes around a range, from the outermost inwards; the last one is the innermost. The
    `known` way to another range is reused as far as both have it in common.
    """
    common = bisect_left(known, 1, key=lambda node: node.start > start or node.end < end)
    way = [*known[:common]]
    level = _parts(way[-1]) if way else _in_order(body)
    while (around := level.around(start, end)) is not None:
        way.append(around)
        level = _parts(around)
    return tuple(way)


@dataclass(frozen=True, slots=True)
class _Level:
    """Nodes beside each other by their starts, and how far those up to each one reach."""

    items: Sequence[nodes.Node]
    starts: Sequence[int]
    reach: Sequence[int]

    def around(self, start: int, end: int) -> nodes.Node | None:
        """The node around a range; one in thousands is found without a look at each."""
        index = bisect_right(self.starts, start) - 1
        while index >= 0 and self.reach[index] >= end:
            if self.items[index].end >= end:
                return self.items[index]
            index -= 1
        return None


def _in_order(given: Sequence[nodes.Node]) -> _Level:
    # A default stands behind its parameter, whose range is the name and the annotation.
    defaults = [n.default for n in given if isinstance(n, nodes.Parameter) and n.default]
    level = sorted((*given, *defaults), key=lambda node: node.start)
    reach = accumulate((node.end for node in level), max)
    return _Level(level, [node.start for node in level], list(reach))


@keep(64)
def _parts(node: nodes.Node) -> _Level:
    return _in_order(list(children(node)))


def names_in(*roots: nodes.Node) -> frozenset[str]:
    """All names that are read or bound anywhere in the nodes."""
    return frozenset(n.identifier for n in walk(*roots) if isinstance(n, nodes.Name))


def blocks(node: nodes.Node) -> tuple[tuple[nodes.Statement, ...], ...]:
    """The blocks of statements of a compound statement."""
    match node:
        case nodes.If() | nodes.While() | nodes.For():
            return node.body, node.orelse
        case nodes.Try():
            return node.body, node.orelse, node.final
        case nodes.FunctionDefinition() | nodes.ClassDefinition() | nodes.With():
            return (node.body,)
        case nodes.Handler() | nodes.MatchCase():
            return (node.body,)
        case _:
            return ()


def bound_by(*roots: nodes.Node) -> frozenset[str]:
    """The names that running the nodes binds in their scope."""
    bound: set[str] = set()
    for node in walk(*roots, into=False):
        bound |= bound_at(node)
    return frozenset(bound)


def bound_at(node: nodes.Node) -> frozenset[str]:
    """The names that a node itself binds."""
    match node:
        case nodes.Assignment(targets=targets) | nodes.Delete(targets=targets):
            return _targets(*targets)
        case nodes.AugmentedAssignment(target=target) | nodes.For(target=target):
            return _targets(target)
        case nodes.AnnotatedAssignment(target=target) | nodes.NamedExpression(target=target):
            return _targets(target)
        case nodes.WithItem(target=target) if target is not None:
            return _targets(target)
        case nodes.Import() | nodes.ImportFrom():
            return frozenset(name.bound or name.path.partition(".")[0] for name in node.names)
        case nodes.FunctionDefinition(name=name) | nodes.ClassDefinition(name=name):
            return frozenset((name,))
        case nodes.Handler(name=str(name)) | nodes.CapturePattern(name=str(name)):
            return frozenset((name,))
        case nodes.StarPattern(name=str(name)) | nodes.MappingPattern(rest=str(name)):
            return frozenset((name,))
        case _:
            return frozenset()


def _targets(*targets: nodes.Expression) -> frozenset[str]:
    found: set[str] = set()
    pending = list(targets)
    while pending:
        match pending.pop():
            case nodes.Name(identifier=name):
                found.add(name)
            case nodes.Display(elements=elements):
                pending.extend(elements)
            case nodes.Starred(value=value):
                pending.append(value)
            case _:
                pass
    return frozenset(found)
