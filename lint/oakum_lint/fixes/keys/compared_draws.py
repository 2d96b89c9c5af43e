"""Draws that are compared: where code tells what two uses of a key have made from each other, by an
assertion, `==`, a test that raises or a function that is called so, or of their difference, they
are meant to have one key; so is all that one container has kept.
"""

from collections.abc import Iterator, Sequence

from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.functions.timing import is_timed
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.tree import bound_by, names_in, walk
from oakum_lint.models import dotted
from oakum_lint.models.habits import COMPARING
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location

_WAITS = frozenset((dotted.BLOCK_UNTIL_READY, dotted.DEVICE_GET))


def is_compared(site: Site, first: Location, keys: frozenset[str]) -> bool:
    """Whether the function of the site, or outside of functions the file, compares what is made
    there with what the use of the key at an earlier place has made, or how long both take, or that
    with what another use of it makes. Some names hold the key.
    """
    earlier, body = find_site(site.module, first), _body_of(site)
    if earlier is None:
        return False
    if is_timed(site) and is_timed(earlier):
        return True
    if earlier.statement is site.statement and tells_apart(site.statement):
        return True
    kept = _kept_in(site.statement) & _kept_in(earlier.statement)
    if not kept.isdisjoint(_behind_comparisons(body)):
        return True
    if earlier.statement is site.statement:
        return False
    return any(
        _are_compared(earlier.statement, other, body, site.node)
        for other in walk(*body)
        if other is site.statement
        or (isinstance(other, nodes.Assignment) and not keys.isdisjoint(names_in(other.value)))
    )


def is_only_waited_for(site: Site) -> bool:
    """Whether the function of the site, or outside of functions the file, only waits for what the
    statement of the site makes, as a timing does: what is drawn does not matter.
    """
    statement, body = site.statement, _body_of(site)
    match statement:
        case nodes.Assignment(value=nodes.Call()):
            made = bound_by(statement) - {"_"}
        case nodes.ExpressionStatement(value=nodes.Call() as call):
            return call is not site.node and _waits(site, call)
        case _:
            return False
    waits = [
        each.value
        for each in walk(*body)
        if isinstance(each, nodes.ExpressionStatement) and _waits(site, each.value)
    ]
    read = [
        each
        for each in walk(*body)
        if isinstance(each, nodes.Name) and each.identifier in made and not _is_bound_at(each, body)
    ]
    return bool(read) and all(any(part is each for w in waits for part in walk(w)) for each in read)


def _waits(site: Site, value: nodes.Expression) -> bool:
    """Whether an expression calls what waits for a result, a function or the method of an array."""
    match value:
        case nodes.Call(function=nodes.Attribute(attribute=method), arguments=()):
            return dotted.BLOCK_UNTIL_READY.endswith(f".{method}")
        case nodes.Call(function=function):
            return meaning(site, function) in _WAITS
        case _:
            return False


def _is_bound_at(name: nodes.Name, body: Sequence[nodes.Statement]) -> bool:
    """Whether a name stands where it is bound."""
    return any(
        target.start <= name.start < target.end
        for node in walk(*body)
        if isinstance(node, nodes.Assignment)
        for target in node.targets
    )


def _are_compared(
    one: nodes.Statement, other: nodes.Node, body: Sequence[nodes.Statement], draw: nodes.Node
) -> bool:
    """Whether something tells what two statements make from each other, or what the first makes
    from a draw in the second.
    """
    both = [_made_of(bound_by(each), body) for each in (one, other)]
    before, made = both[0] - both[1], both[1] - both[0]
    apart = _made_of(_differences(before, made, body, draw), body)
    for comparison in _comparisons(body):
        read = names_in(comparison)
        has_other = not made.isdisjoint(read) or _holds(comparison, draw)
        if (has_other and not before.isdisjoint(read)) or not apart.isdisjoint(read):
            return True
    return False


def _holds(node: nodes.Node, draw: nodes.Node) -> bool:
    """Whether a draw is a part of a node. In a script they may stand in two units, each of which
    counts its places from its own beginning.
    """
    return any(part is draw for part in walk(node))


def _body_of(site: Site) -> Sequence[nodes.Statement]:
    function = own_function(site)
    if function is not None:
        return function.body
    return [statement for unit in site.module.units for statement in unit.body]


def _made_of(names: frozenset[str], body: Sequence[nodes.Statement]) -> frozenset[str]:
    """Some names, and those that are bound to what is made of them."""
    found, count = set(names), 0
    while count < len(found):
        count = len(found)
        for node in walk(*body):
            match node:
                case nodes.Assignment(value=value) if not found.isdisjoint(names_in(value)):
                    found |= bound_by(node)
                case _:
                    pass
    return frozenset(found)


def _differences(
    before: frozenset[str],
    made: frozenset[str],
    body: Sequence[nodes.Statement],
    draw: nodes.Node,
) -> frozenset[str]:
    """The names that are bound to the difference of two results, or of one and a draw."""
    found: set[str] = set()
    for statement in walk(*body):
        if not isinstance(statement, nodes.Assignment):
            continue
        for node in walk(statement.value):
            if not (isinstance(node, nodes.BinaryOperation) and node.operator == "-"):
                continue
            sides = node.left, node.right
            if any(
                not before.isdisjoint(names_in(a))
                and (not made.isdisjoint(names_in(b)) or _holds(b, draw))
                for a, b in (sides, sides[::-1])
            ):
                found |= bound_by(statement)
    return frozenset(found)


def _comparisons(body: Sequence[nodes.Statement]) -> Iterator[nodes.Node]:
    for node in walk(*body):
        match node:
            case _ if compares(node):
                yield node
            case nodes.If(test=test, body=inside) if any(
                isinstance(each, nodes.Raise) for each in inside
            ):
                yield test
            case _:
                pass


def compares(node: nodes.Node) -> bool:
    """Whether a node tells what it reads from each other: by an assertion, `==`, or a call."""
    match node:
        case nodes.Assert() | nodes.Comparison(operators=("==",) | ("!=",)):
            return True
        case nodes.Call(function=nodes.Name(identifier=name) | nodes.Attribute(attribute=name)):
            return COMPARING.match(name) is not None
        case _:
            return False


def tells_apart(statement: nodes.Statement) -> bool:
    """Whether a statement only tells what stands in it from each other."""
    return compares(
        statement.value if isinstance(statement, nodes.ExpressionStatement) else statement
    )


def _kept_in(statement: nodes.Statement) -> frozenset[str]:
    """The name of the container that a statement keeps its result in."""
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


def _behind_comparisons(body: Sequence[nodes.Statement]) -> frozenset[str]:
    """The names that comparisons read, and those that these are made of."""
    made: dict[str, set[str]] = {}
    for node in walk(*body):
        match node:
            case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=value):
                made.setdefault(name, set()).update(names_in(value))
            case _:
                pass
    found: set[str] = set()
    pending = [name for each in _comparisons(body) for name in names_in(each)]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += made.get(name, ())
    return frozenset(found)
