"""Names in fixes: whether one may be bound at a place, and whether anyone reads it there."""

from bisect import bisect_left
from collections.abc import Sequence

from oakum.values.records import dataclass
from oakum_lint.fixes.kept import keep
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import DEFINITIONS, FUNCTIONS, bound_at, bound_by, names_in, walk
from oakum_lint.syntax import nodes
from oakum_lint.text.names import IDENTIFIER


@dataclass(frozen=True, slots=True)
class Names:
    """The names that the body of a function reads, binds and declares."""

    declared: frozenset[str]
    """Those of `global` and `nonlocal`."""
    bound: dict[str, list[nodes.Node]]
    """The nodes that bind each name in the function's own scope, in order."""
    used: dict[str, list[nodes.Name]]
    """Where each name stands in the function's own scope."""
    starts: dict[str, list[int]]
    """Where each name stands at all, in ascending order."""
    last_bound: dict[str, int]
    """Where the last node begins that binds each name, in the function or within one in it."""
    held: frozenset[str]
    """Those that stand in functions within it."""
    returns: Sequence[nodes.Return]


@keep(64)
def names_of(function: nodes.FunctionDefinition) -> Names:
    """Returns the names in the body of a function: one walk for all findings in it."""
    declared: set[str] = set()
    bound: dict[str, list[nodes.Node]] = {}
    used: dict[str, list[nodes.Name]] = {}
    held: set[str] = set()
    returns: list[nodes.Return] = []
    for node in walk(*function.body, into=False):
        if isinstance(node, nodes.ScopeDeclaration):
            declared.update(node.names)
        elif isinstance(node, nodes.Return):
            returns.append(node)
        elif isinstance(node, nodes.Name):
            used.setdefault(node.identifier, []).append(node)
        for name in bound_at(node):
            bound.setdefault(name, []).append(node)
        if isinstance(node, DEFINITIONS):
            inner = (each for each in walk(node) if isinstance(each, FUNCTIONS))
            held.update(*(names_in(each) for each in inner))
    starts, last_bound = _places(function)
    return Names(frozenset(declared), bound, used, starts, last_bound, frozenset(held), returns)


def _places(function: nodes.FunctionDefinition) -> tuple[dict[str, list[int]], dict[str, int]]:
    """Where each name stands in a function and those in it, and where the last node begins that
    binds it.
    """
    starts: dict[str, list[int]] = {}
    last_bound: dict[str, int] = {}
    for node in walk(*function.body):
        if isinstance(node, nodes.Name):
            starts.setdefault(node.identifier, []).append(node.start)
        for name in bound_at(node):
            last_bound[name] = max(node.start, last_bound.get(name, 0))
    for found in starts.values():
        found.sort()
    return starts, last_bound


def reads_around(function: nodes.FunctionDefinition | nodes.Lambda, name: str) -> bool:
    """Whether a function reads a name that is one of the function around it: also where it is made,
    as a default.
    """
    parameters = function.parameters.items
    if name in names_in(*(p.default for p in parameters if p.default is not None)):
        return True
    own = {parameter.name for parameter in parameters}
    if isinstance(function, nodes.FunctionDefinition):
        names = names_of(function)
        own |= names.bound.keys() - names.declared
    return name not in own and name in names_in(function)


def is_own(site: Site, name: str) -> bool:
    """Whether assigning to a name at the site binds the variable that reading it there reads."""
    if any(isinstance(node, nodes.ClassDefinition) for node in _scope_of(site)):
        return False
    function = own_function(site)
    if function is None:
        return not site.functions
    if name in (parameter.name for parameter in function.parameters.items):
        return True
    names = names_of(function)
    return name in names.declared or name in names.bound


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
    """Whether the function reads a name behind the statement of the site, or in a next iteration of
    a loop around it.
    """
    function = own_function(site)
    if function is None:
        return True
    statement = site.statement
    position = site.way.index(statement)
    loops = [node for node in site.way[:position] if isinstance(node, nodes.For | nodes.While)]
    starts = names_of(function).starts.get(name)
    if not starts:
        return False
    # The first in a loop is before the statement, or none is: the rest is inside or behind it.
    firsts = (bisect_left(starts, loop.start) for loop in loops)
    again = any(first < len(starts) and starts[first] < statement.start for first in firsts)
    return again or starts[-1] >= statement.end


def free_name(site: Site, *wanted: str) -> str | None:
    """The first of some names that stands nowhere in the file."""
    words = _words(site.whole_text)
    return next((name for name in wanted if name not in words), None)


def free_local_name(function: nodes.FunctionDefinition, *wanted: str) -> str | None:
    """The first of some names that a function neither reads nor binds."""
    known = names_in(*function.body) | bound_by(*function.body)
    known |= {parameter.name for parameter in function.parameters.items}
    return next((name for name in wanted if name not in known), None)


@keep(1)
def _words(text: str) -> frozenset[str]:
    """The words of a file: one look for all findings in it."""
    return frozenset(IDENTIFIER.findall(text))
