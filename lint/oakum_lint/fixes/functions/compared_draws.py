"""Draws that are compared: where a test asserts something of two results together, or of all that a
loop has kept, they are meant to have one key.
"""

from collections.abc import Iterator

from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.tree import bound_by, names_in, walk
from oakum_lint.models.habits import ASSERTING
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location


def is_compared(site: Site, first: Location) -> bool:
    """Whether the function of the site asserts something of what is made there and of what the use
    of the key at an earlier place has made.
    """
    function, earlier = own_function(site), find_site(site.module, first)
    if function is None or earlier is None:
        return False
    if earlier.statement is site.statement:
        kept = _kept_in(site.statement)
        return bool(kept) and not kept.isdisjoint(_behind_assertions(function))
    made, before = bound_by(site.statement), bound_by(earlier.statement)
    return any(
        not (made.isdisjoint(names_in(each)) or before.isdisjoint(names_in(each)))
        for each in _assertions(function)
    )


def _assertions(function: nodes.FunctionDefinition) -> Iterator[nodes.Node]:
    for node in walk(*function.body):
        match node:
            case nodes.Assert():
                yield node
            case nodes.Call(
                function=nodes.Name(identifier=name) | nodes.Attribute(attribute=name)
            ) if name.startswith(ASSERTING):
                yield node
            case _:
                pass


def _kept_in(statement: nodes.Statement) -> frozenset[str]:
    """The name of the container that a statement in a loop keeps its result in."""
    match statement:
        case nodes.Assignment(targets=(nodes.Subscript(value=nodes.Name(identifier=name)),)):
            return frozenset((name,))
        case nodes.ExpressionStatement(
            value=nodes.Call(
                function=nodes.Attribute(
                    value=nodes.Name(identifier=name), attribute="append" | "extend"
                )
            )
        ):
            return frozenset((name,))
        case _:
            return frozenset()


def _behind_assertions(function: nodes.FunctionDefinition) -> frozenset[str]:
    """The names that assertions read, and those that these are made of."""
    made: dict[str, set[str]] = {}
    for node in walk(*function.body):
        match node:
            case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=value):
                made.setdefault(name, set()).update(names_in(value))
            case _:
                pass
    found: set[str] = set()
    pending = [name for each in _assertions(function) for name in names_in(each)]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += made.get(name, ())
    return frozenset(found)
