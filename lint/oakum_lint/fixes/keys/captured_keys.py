"""Random keys that a function reads of the one around it, in fixes: it takes the key instead, and
each of its calls passes it a part.
"""

from collections.abc import Sequence

from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.scopes import is_own, own_function, reads_around
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.functions.timing import is_timed
from oakum_lint.fixes.keys.key_parts import SPLIT, may_be_none
from oakum_lint.fixes.keys.random_keys import (
    SIMPLE,
    are_one_call,
    is_for_nothing,
    part_name,
)
from oakum_lint.fixes.keys.shared_keys import (
    is_repeated,
    names_for,
    split_for_uses,
)
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.tree import bound_by, functions_in, names_in, walk, way_to
from oakum_lint.models.transforms import SCALAR_GRADIENTS
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix
from oakum_lint.text.finding import Location

_Split = tuple[list[Edit], Sequence[str]]
"""The lines that split a key, and the text of the part for each of some calls."""


def pass_parts(site: Site, names: frozenset[str]) -> Fix | None:
    """Has the function that is called at the site take the key which it reads of the function
    around it, under one of some names, and splits the key for each call of it.
    """
    around = own_function(site)
    inner = None if around is None else _called(site, around)
    if around is None or inner is None:
        return None
    read = [name for name in sorted(names) if reads_around(inner, name)]
    calls = _calls(site, around, inner)
    spelling = spell(site, SPLIT)
    if len(read) != 1 or not calls or spelling is None:
        return None
    (name,) = read
    if not _may_be_passed(calls, around, inner, name):
        return None
    split = _for_all(calls, name, spelling.text) or _for_each(calls, name, spelling.text)
    if split is None:
        return None
    lines, parts = split
    last = inner.parameters.items[-1]
    end = last.end if last.default is None else site.with_parentheses(last.default)[1]
    is_named = last.default is not None
    edits = [site.replace_range(end, end, f", *, {name}" if is_named else f", {name}"), *lines]
    for call, part in zip(calls, parts, strict=True):
        assert isinstance(call.node, nodes.Call)
        by_name = is_named or call.node.keywords
        added = added_argument(call, call.node, f"{name}={part}" if by_name else part)
        if added is None:
            return None
        edits.append(added)
    title = f"Pass `{inner.name}` the key, a part for each call"
    return make_fix(title, [*edits, *spelling.edits], Safety.UNSAFE)


def share_captured(site: Site, first: Location, names: frozenset[str]) -> Fix | None:
    """Splits a key, which some name holds and the function reads that the site calls, between that
    and the earlier use.
    """
    earlier = find_site(site.module, first)
    if earlier is None or are_one_call(earlier, site):
        return None
    if is_for_nothing(earlier) or is_for_nothing(site):
        return None
    return _split_between(earlier, site, names) or pass_parts(site, names)


def _split_between(earlier: Site, site: Site, names: frozenset[str]) -> Fix | None:
    """Splits a key of the function around for functions in it that read it under one of some names,
    and that are called once each.
    """
    around = own_function(site)
    inner = None if around is None else _called(site, around)
    if inner is None:
        return None
    read = (n for n in walk(inner) if isinstance(n, nodes.Name) and n.identifier in names)
    key = next((each for each in read if reads_around(inner, each.identifier)), None)
    if key is None or may_be_none(site, key):
        return None
    return split_for_uses(earlier, key, site)


def _called(site: Site, around: nodes.FunctionDefinition) -> nodes.FunctionDefinition | None:
    """The function within another one that the call at the site, or what it is of, calls."""
    match site.node:
        case nodes.Call(function=nodes.Name(identifier=name)):
            pass
        case nodes.Call(function=nodes.Call(arguments=(nodes.Name(identifier=name), *_))):
            pass
        case _:
            return None
    made = [node for node in walk(*around.body, into=False) if name in bound_by(node)]
    match [node for node in made if not isinstance(node, nodes.If | nodes.For | nodes.While)]:
        case [nodes.FunctionDefinition() as inner] if _takes_what_is_passed(inner):
            return inner
        case _:
            return None


def _takes_what_is_passed(function: nodes.FunctionDefinition) -> bool:
    """Whether a function takes arguments that may be passed by their place, and nothing else."""
    items = function.parameters.items
    is_plain = all(item.kind == "positional" for item in items)
    return bool(items) and is_plain and not (function.decorators or function.is_async)


def _calls(
    site: Site, around: nodes.FunctionDefinition, inner: nodes.FunctionDefinition
) -> list[Site]:
    """The calls of a function within another one; none where it stands otherwise, or a call is
    passed what is not seen.
    """
    calls: list[Site] = []
    for node in walk(*around.body):
        if not (isinstance(node, nodes.Name) and node.identifier == inner.name):
            continue
        call = _call_by(site, node)
        if call is None or not isinstance(call.node, nodes.Call):
            return []
        passed = call.node
        if any(each.name is None for each in passed.keywords) or any(
            isinstance(each, nodes.Starred) for each in passed.arguments
        ):
            return []
        calls.append(call)
    return calls


def _call_by(site: Site, name: nodes.Name) -> Site | None:
    """The call of a function where its name stands, or of its gradient that is made there; None
    where it is not called there.
    """
    way = way_to(site.unit.body, name.start, name.end)
    match way[-3:-1]:
        case [_, nodes.Call(function=function)] if function is name:
            return Site(site.module, site.unit, way[:-1])
        case [nodes.Call(function=made), nodes.Call(arguments=(first, *_)) as transform] if (
            made is transform
            and first is name
            and meaning(site, transform.function) in SCALAR_GRADIENTS
            and _keeps_its_place(transform)
        ):
            return Site(site.module, site.unit, way[:-2])
        case _:
            return None


def _keeps_its_place(transform: nodes.Call) -> bool:
    """Whether what a function is differentiated by stays the same when it takes one argument more:
    the options are written out, and none counts from the end.
    """
    options = (*transform.arguments[1:], *(each.value for each in transform.keywords))
    return all(isinstance(part, nodes.Constant | nodes.Display) for part in walk(*options))


def _may_be_passed(
    calls: Sequence[Site],
    around: nodes.FunctionDefinition,
    inner: nodes.FunctionDefinition,
    name: str,
) -> bool:
    """Whether all calls stand for themselves in the function around, of which no other function
    within reads the key, so that a split may give it another one.
    """
    others = (each for each in functions_in(*around.body) if each is not inner)
    if any(reads_around(each, name) for each in others):
        return False
    return all(
        own_function(call) is around
        and isinstance(call.statement, SIMPLE)
        and not is_timed(call)
        and not any(isinstance(node, nodes.Lambda | nodes.Comprehension) for node in call.way)
        and is_own(call, name)
        and not may_be_none(call, nodes.Name(0, 0, name))
        for call in calls
    )


def _for_all(calls: Sequence[Site], name: str, split: str) -> _Split | None:
    """Splits the key once before the first of several calls, which stand in one block, if nothing
    behind it reads the key; None else.
    """
    first, block = calls[0], [each.statement for each in calls[0].sites_beside()]
    behind = first.behind(first.statement)
    if len(calls) < 2 or any(each.statement not in block for each in calls):
        return None
    if name in names_in(*behind) | bound_by(*behind) or is_repeated(first, nodes.Name(0, 0, name)):
        return None
    parts = names_for(first, len(calls))
    if parts is None or first.indent(first.statement) is None:
        return None
    target, passed = parts
    count = "" if len(calls) == 2 else f", {len(calls)}"
    line = f"{target} = {split}({name}{count})"
    return [first.line_before(first.statement, line)], passed


def _for_each(calls: Sequence[Site], name: str, split: str) -> _Split | None:
    """Splits the key before the statement of each call."""
    part, statements = part_name(calls[0]), [each.statement for each in calls]
    if part is None or any(statements.count(each) > 1 for each in statements):
        return None
    if any(call.indent(call.statement) is None for call in calls):
        return None
    line = f"{name}, {part} = {split}({name})"
    return [call.line_before(call.statement, line) for call in calls], [part] * len(calls)
