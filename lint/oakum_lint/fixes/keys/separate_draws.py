"""Draws that a test keeps apart: nothing in its function is made of both, and nothing that it
asserts depends on their numbers. What it says of shapes and dtypes holds for other numbers, too.
"""

from collections.abc import Iterator
from typing import Final

from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.keys.compared_draws import compares
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.tree import blocks, bound_at, children, walk
from oakum_lint.models.habits import TELLS_NO_NUMBER
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location

_FIRST: Final = 1
_SECOND: Final = 2
_BOTH: Final = _FIRST | _SECOND


def are_kept_apart(site: Site, first: Location) -> bool:
    """Whether the function of the site keeps what is made there apart from what the use of the key
    at an earlier place of it has made.
    """
    earlier, function = find_site(site.module, first), own_function(site)
    if function is None or earlier is None or own_function(earlier) is not function:
        return False
    made: dict[str, int] = {}
    # A second time, for what an iteration leaves for the next one.
    statements = [*_statements(function)] * 2
    top = {id(statement) for statement in function.body}
    for statement in statements:
        own = (_FIRST if statement is earlier.statement else 0) | (
            _SECOND if statement is site.statement else 0
        )
        parts = _own_parts(statement)
        of = own
        for name in _numbers_in(parts):
            of |= made.get(name, 0)
        if of == _BOTH or (of and _depends(statement, parts)):
            return False
        bound = {name for part in (statement, *walk(*parts)) for name in bound_at(part)}
        for name in bound:
            made[name] = of if id(statement) in top else made.get(name, 0) | of
        for name in _changed(statement):
            made[name] = made.get(name, 0) | of
    return True


def _statements(function: nodes.FunctionDefinition) -> Iterator[nodes.Statement]:
    """The statements of a function in their order, those in compound ones behind their heads."""
    pending: list[nodes.Node] = [*reversed(function.body)]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.Statement):
            yield node
        if not isinstance(node, nodes.FunctionDefinition | nodes.ClassDefinition):
            inside = [each for block in blocks(node) for each in block]
            handlers = node.handlers if isinstance(node, nodes.Try) else ()
            pending += reversed((*inside, *handlers))


def _own_parts(statement: nodes.Statement) -> tuple[nodes.Node, ...]:
    """What a statement reads besides the blocks in it; of a definition all."""
    if isinstance(statement, nodes.FunctionDefinition | nodes.ClassDefinition):
        return (statement,)
    left = {id(each) for block in blocks(statement) for each in block}
    if isinstance(statement, nodes.Assignment):
        left |= {id(target) for target in statement.targets}
    elif isinstance(statement, nodes.For):
        left.add(id(statement.target))
    return tuple(
        each
        for each in children(statement)
        if id(each) not in left and not isinstance(each, nodes.Handler | nodes.MatchCase)
    )


def _numbers_in(parts: tuple[nodes.Node, ...]) -> Iterator[str]:
    """The names in some nodes of which more counts than the shape and the dtype."""
    pending = [*parts]
    while pending:
        node = pending.pop()
        match node:
            case nodes.Name(identifier=name):
                yield name
            case nodes.Attribute(attribute=name) if name in TELLS_NO_NUMBER:
                pass
            case nodes.Call(
                function=nodes.Name(identifier=name) | nodes.Attribute(attribute=name)
            ) if name in TELLS_NO_NUMBER:
                pass
            case _:
                pending += children(node)


def _depends(statement: nodes.Statement, parts: tuple[nodes.Node, ...]) -> bool:
    """Whether a statement says, or decides by what it reads, how the test ends."""
    match statement:
        case nodes.Return() | nodes.If() | nodes.While() | nodes.Raise():
            return True
        case _:
            return any(map(compares, (statement, *walk(*parts))))


def _changed(statement: nodes.Statement) -> Iterator[str]:
    """The names of the objects of which a statement sets a part, or calls a method."""
    places: list[nodes.Expression] = []
    match statement:
        case nodes.Assignment(targets=targets):
            places += targets
        case nodes.AugmentedAssignment(target=target):
            places.append(target)
        case nodes.ExpressionStatement(value=nodes.Call(function=nodes.Attribute() as method)):
            places.append(method)
        case _:
            pass
    for place in places:
        while isinstance(place, nodes.Attribute | nodes.Subscript):
            place = place.value
        if isinstance(place, nodes.Name):
            yield place.identifier
