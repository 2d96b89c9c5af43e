"""Names in fixes: whether one may be bound at a place, and whether anyone reads it there."""

import re
from collections.abc import Sequence

from oakum_lint.facts import nodes
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_by, walk


def is_own(site: Site, name: str) -> bool:
    """Whether assigning to a name at the site binds the variable that reading it there reads."""
    if any(isinstance(node, nodes.ClassDefinition) for node in _scope_of(site)):
        return False
    function = own_function(site)
    if function is None:
        return not site.functions
    if name in (parameter.name for parameter in function.parameters.items):
        return True
    declared = {
        item
        for node in walk(*function.body, into=False)
        if isinstance(node, nodes.ScopeDeclaration)
        for item in node.names
    }
    return name in declared or name in bound_by(*function.body)


def _scope_of(site: Site) -> Sequence[nodes.Node]:
    """The innermost scope around the site, if any."""
    kinds = (nodes.FunctionDefinition, nodes.ClassDefinition, nodes.Lambda)
    return [node for node in reversed(site.way) if isinstance(node, kinds)][:1]


def own_function(site: Site) -> nodes.FunctionDefinition | None:
    """The function whose body the statement of the site is in; None outside, and in a lambda."""
    around = site.functions[:1]
    function = around[0] if around else None
    return function if isinstance(function, nodes.FunctionDefinition) else None


def is_own_step(site: Site) -> bool:
    """Whether the site is computed once for its statement, as often as a line before it."""
    simple = nodes.Assignment | nodes.ExpressionStatement | nodes.Return
    return isinstance(site.statement, simple) and not any(
        isinstance(node, nodes.Lambda | nodes.Comprehension) for node in site.way
    )


def is_read_later(site: Site, name: str) -> bool:
    """Whether the function reads a name behind the statement of the site, or in a next round of a
    loop around it.
    """
    function = own_function(site)
    if function is None:
        return True
    statement = site.statement
    position = site.way.index(statement)
    loops = [node for node in site.way[:position] if isinstance(node, nodes.For | nodes.While)]
    for node in walk(*function.body):
        if isinstance(node, nodes.Name) and node.identifier == name:
            inside = statement.start <= node.start < statement.end
            again = any(loop.start <= node.start < loop.end for loop in loops)
            if node.start >= statement.end or (again and not inside):
                return True
    return False


def free_name(site: Site, *wanted: str) -> str | None:
    """The first of some names that stands nowhere in the file."""
    text = site.whole_text
    return next((name for name in wanted if not re.search(rf"\b{name}\b", text)), None)
