"""Keys of numbered iterations in fixes: `fold_in` makes one of a key that all of them share and the
number that an iteration gets, of a loop or of `arange`.
"""

from typing import Final, NamedTuple

from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.editing.values import value_of
from oakum_lint.fixes.keys.key_parts import free, passed
from oakum_lint.fixes.keys.random_keys import key_of
from oakum_lint.fixes.keys.seeds import makes_key
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_by, names_in, walk, way_to
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

_UNREAD: Final = "_"


class _Place(NamedTuple):
    """What numbers the iterations: which parameter of the body of a loop is what of the call."""

    parameter: int
    argument: int


_ITEMS: Final = {dotted.SCAN: _Place(1, 2), dotted.LAX_MAP: _Place(0, 1)}
"""Loops that go over the rows of an array: the body is the first argument."""


def fold_in_number(site: Site, names: frozenset[str]) -> Fix | None:
    """Makes a key of the number of the iteration in the body of a loop of JAX that the site is in:
    of a key of the function around it, or one of a seed that the body names.
    """
    body, spelling = next(iter(site.functions), None), spell(site, dotted.FOLD_IN)
    if body is None or spelling is None:
        return None
    key = _captured(site, body, names) or _made_there(site, body)
    if key is None:
        return None
    number = _number_in(site, body)
    if number is None:
        return None
    name, edits = number
    text = f"{spelling.text}({site.text(key)}, {name})"
    edits += [site.replace(key, text), *spelling.edits]
    return make_fix("Make a key of the counter", edits, Safety.UNSAFE)


def _captured(
    site: Site, body: nodes.FunctionDefinition | nodes.Lambda, names: frozenset[str]
) -> nodes.Expression | None:
    """The key of the function around the body, if that reads it once: two keys of one number are
    the same.
    """
    key = key_of(site.node, names)
    if not isinstance(key, nodes.Name):
        return None
    own = {each.name for each in body.parameters.items} | bound_by(*_statements(body))
    read = [
        each
        for each in walk(*_statements(body))
        if isinstance(each, nodes.Name) and each.identifier == key.identifier
    ]
    return key if len(read) == 1 and key.identifier not in own else None


def _made_there(
    site: Site, body: nodes.FunctionDefinition | nodes.Lambda
) -> nodes.Expression | None:
    """The call in the body that makes the key of a seed, which the flagged call gets."""
    if not isinstance(site.node, nodes.Call):
        return None
    found = [made for each in passed(site.node) if makes_key(site, made := _known(site, each))]
    if len(found) != 1 or not body.start <= found[0].start < body.end:
        return None
    return found[0]


def _statements(
    body: nodes.FunctionDefinition | nodes.Lambda,
) -> tuple[nodes.Node, ...]:
    return body.body if isinstance(body, nodes.FunctionDefinition) else (body.body,)


def _number_in(
    site: Site, body: nodes.FunctionDefinition | nodes.Lambda
) -> tuple[str, list[Edit]] | None:
    """The name that the number of an iteration has in the body of a loop, and what gives it one."""
    at = _loop_of(site, body)
    if at is None or not isinstance(at.node, nodes.Call):
        return None
    call, items = at.node, body.parameters.items
    if meaning(at, call.function) == dotted.VMAP:
        return _lane_in(site, body, at, call)
    if meaning(at, call.function) == dotted.FORI_LOOP:
        return _named(site, body, items[0]) if len(items) == 2 else None
    place = _ITEMS.get(meaning(at, call.function))
    if place is None or len(items) != place.parameter + 1:
        return None
    if len(call.arguments) <= place.argument:
        return None
    rows = _known(at, call.arguments[place.argument])
    if _counts(at, rows):
        return _named(site, body, items[place.parameter])
    match rows:
        case nodes.Display(kind="tuple", elements=columns):
            numbered = [n for n, column in enumerate(columns) if _counts(at, _known(at, column))]
            return _column(body, items[place.parameter].name, numbered[0]) if numbered else None
        case _:
            return None


def _lane_in(
    site: Site, body: nodes.FunctionDefinition | nodes.Lambda, at: Site, call: nodes.Call
) -> tuple[str, list[Edit]] | None:
    """The name of the number of a lane in a function that is mapped, and called at once."""
    match at.parent:
        case nodes.Call(function=function, arguments=rows, keywords=()) if function is call:
            pass
        case _:
            return None
    items = body.parameters.items
    if len(call.arguments) != 1 or call.keywords or len(rows) != len(items):
        return None
    counting = [item for item, row in zip(items, rows, strict=True) if _counts(at, _known(at, row))]
    return _named(site, body, counting[0]) if counting else None


def _known(site: Site, expression: nodes.Expression) -> nodes.Expression:
    value = value_of(site, expression) if isinstance(expression, nodes.Name) else None
    return expression if value is None else value


def _named(
    site: Site, body: nodes.FunctionDefinition | nodes.Lambda, item: nodes.Parameter
) -> tuple[str, list[Edit]] | None:
    """The name of a parameter that the body does not bind again; `_` gets one that says more."""
    if item.kind.startswith("var") or item.name in bound_by(*_statements(body)):
        return None
    if item.name.strip(_UNREAD):
        return item.name, []
    better = free(site, "i", "step", "iteration")
    if better is None or item.annotation is not None or item.default is not None:
        return None
    return better, [site.replace_range(item.start, item.end, better)]


def _column(
    body: nodes.FunctionDefinition | nodes.Lambda, item: str, number: int
) -> tuple[str, list[Edit]] | None:
    """The name that the body takes one column of its item by, at its beginning: `t, y = inputs`."""
    for statement in _statements(body):
        match statement:
            case nodes.Assignment(
                targets=(nodes.Display(elements=names),), value=nodes.Name(identifier=name)
            ) if name == item and all(isinstance(each, nodes.Name) for each in names):
                taken = names[number]
                assert isinstance(taken, nodes.Name)
                rest = [each for each in _statements(body) if each is not statement]
                if taken.identifier in bound_by(*rest) or not taken.identifier.strip(_UNREAD):
                    return None
                return taken.identifier, []
            case nodes.ExpressionStatement(value=nodes.Constant()):
                pass
            case _:
                return None
    return None


def _loop_of(site: Site, body: nodes.FunctionDefinition | nodes.Lambda) -> Site | None:
    """The call that a body is made for and nothing else."""
    if isinstance(body, nodes.Lambda):
        return Site(site.module, site.unit, site.way[: site.way.index(body)])
    around = next(iter(site.functions[1:]), None)
    if body.decorators or isinstance(around, nodes.Lambda):
        return None
    statements = site.unit.body if around is None else around.body
    stands = [
        each
        for each in walk(*statements)
        if isinstance(each, nodes.Name) and each.identifier == body.name
    ]
    if len(stands) != 1:
        return None
    at = Site(site.module, site.unit, way_to(site.unit.body, stands[0].start, stands[0].end)[:-1])
    return at if own_function(at) is around else None


def _counts(site: Site, rows: nodes.Expression) -> bool:
    """Whether an array is written so that it has the numbers of the iterations."""
    match rows:
        case nodes.Call(function=function, arguments=(_,) | (_, _) as bounds, keywords=()):
            pass
        case _:
            return False
    parts = [*walk(*bounds)]
    is_float = any(
        (isinstance(each, nodes.Constant) and isinstance(each.value, float))
        or (isinstance(each, nodes.BinaryOperation) and each.operator == "/")
        for each in parts
    )
    return (
        meaning(site, function) == dotted.ARANGE
        and not is_float
        and "float" not in names_in(*bounds)
    )
