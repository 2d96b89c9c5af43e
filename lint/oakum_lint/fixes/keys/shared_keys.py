"""Random keys that several uses share and that none of them can make another one, in fixes: a key
of the module or of the function around, an item of several keys, what an object keeps. Each use
gets a part of it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from oakum_lint.fixes.editing.scopes import own_function
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.functions.timing import is_timed
from oakum_lint.fixes.keys.compared_draws import tells_apart
from oakum_lint.fixes.keys.key_parts import (
    SPLIT,
    Key,
    count_of,
    free,
    passed,
    with_count,
)
from oakum_lint.fixes.site import Site, line_stop
from oakum_lint.fixes.tree import (
    bound_at,
    bound_by,
    children,
    names_in,
    walk,
    way_to,
)
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix
from oakum_lint.text.notebook.names import CELL_MARK

_Use = tuple[Site, nodes.Expression]
_MANY: Final = 4


def split_for_many(earlier: Site, key: Key, site: Site) -> Fix | None:
    """Splits a key for all its uses in a block, where these are so many that a line before each
    would be worse, and nothing else uses it.
    """
    if CELL_MARK in earlier.module.source.text:
        return None
    return split_for_uses(earlier, key, site, _MANY)


def split_for_uses(earlier: Site, key: nodes.Expression, site: Site, least: int = 2) -> Fix | None:
    """Splits a key before the first use of it in the block of the earlier one, for all of them, if
    there are so many.
    """
    spelling, text = spell(earlier, SPLIT), earlier.text(key)
    block = _block_around(earlier, site, key)
    uses = uses_of(block, text)
    if spelling is None or uses is None or len(uses) < least or not are_all_uses(uses, text, site):
        return None
    if any(tells_apart(at.statement) for at in _of_several(uses)):
        return None
    if isinstance(key, nodes.Attribute) and _makes_keys(site, key):
        return None
    first = uses[0][0]
    between = [each.statement for each in block[block.index(first) :]]
    if is_timed(first) or first.indent(first.statement) is None:
        return None
    if not _is_settled(first, key, between) or is_repeated(first, key):
        return None
    parts = names_for(site, len(uses))
    if parts is None:
        return None
    target, names = parts
    count = "" if len(uses) == 2 else f", {len(uses)}"
    edits = [
        _line_for(earlier, key, first, f"{target} = {spelling.text}({text}{count})"),
        *spelling.edits,
    ]
    edits += [at.replace(use, name) for (at, use), name in zip(uses, names, strict=True)]
    number = "two" if len(uses) == 2 else str(len(uses))
    return make_fix(f"Split the key for its {number} uses", edits, Safety.UNSAFE)


def _of_several(uses: Sequence[_Use]) -> Iterator[Site]:
    """The statements that have more than one of some uses."""
    statements = [at.statement for at, _ in uses]
    return (at for at, _ in uses if statements.count(at.statement) > 1)


def _line_for(earlier: Site, key: nodes.Expression, first: Site, line: str) -> Edit:
    """Inserts a line before the first use of a key in its block; where that is a definition, which
    has blank lines above it, behind the statement that makes the key, if that is there, else with a
    blank line.
    """
    if isinstance(first.statement, nodes.FunctionDefinition | nodes.ClassDefinition):
        for made in reversed(earlier.at_statement().sites_before()):
            if names_in(key) & bound_by(made.statement) and made.is_alone(made.statement):
                place = line_stop(made.unit.text, made.statement.end)
                text = f"{made.line_end}{made.indent(made.statement)}{line}"
                return made.replace_range(place, place, text)
        return first.line_before(first.statement, line + first.line_end)
    return first.line_before(first.statement, line)


def take_another(earlier: Site, site: Site) -> Fix | None:
    """Uses another one of several keys at the site, in the place of one that is used before,
    `keys[3]`, for which their split may make one more; or splits that one for all its uses.
    """
    key = _shared_item(earlier, site)
    if key is None:
        return None
    return _use_another_item(site, key) or split_for_uses(earlier, key, site)


def _shared_item(earlier: Site, site: Site) -> nodes.Subscript | None:
    """The item that both calls get; of several the one of keys that the function splits."""
    before, here = ([*_items(each)] for each in (earlier, site))
    texts = {earlier.text(each) for each in before}
    shared = [each for each in here if site.text(each) in texts]
    if len(shared) > 1:
        shared = [each for each in shared if _split_of(site, each) is not None]
    return shared[0] if len(shared) == 1 else None


def _items(site: Site) -> Iterator[nodes.Subscript]:
    if isinstance(site.node, nodes.Call):
        for value in passed(site.node):
            if isinstance(value, nodes.Subscript) and isinstance(value.value, nodes.Name):
                yield value


def _units_of(site: Site) -> Iterator[tuple[UnitFacts, Sequence[nodes.Statement]]]:
    """The function of the site, or outside of functions all of its file, by units."""
    function = own_function(site)
    if function is not None:
        yield site.unit, function.body
        return
    for unit in site.module.units:
        yield unit, unit.body


def _split_of(site: Site, item: nodes.Subscript) -> tuple[Site, nodes.Call] | None:
    """The split that makes the keys of which an item is used, and where it stands, if nothing else
    binds their name.
    """
    if not isinstance(item.value, nodes.Name):
        return None
    name = item.value.identifier
    made = [
        (unit, node)
        for unit, body in _units_of(site)
        for node in walk(*body, into=False)
        if name in bound_at(node)
    ]
    match made:
        case [(unit, nodes.Assignment(targets=(nodes.Name(),), value=nodes.Call() as call))]:
            at = Site(site.module, unit, way_to(unit.body, call.start, call.end))
            return (at, call) if meaning(at, call.function) == SPLIT else None
        case _:
            return None


def _use_another_item(site: Site, item: nodes.Subscript) -> Fix | None:
    """Uses a key that nothing uses, or makes one more, where all are taken one by one, by their
    numbers.
    """
    found = _split_of(site, item)
    if found is None or not isinstance(item.value, nodes.Name):
        return None
    at, split = found
    match count_of(split):
        case nodes.Constant(value=int() as count):
            pass
        case _:
            return None
    taken = _numbers_taken(site, item.value.identifier, count)
    if taken is None:
        return None
    numbers = [number for _, number in taken]
    free_ones = [number for number in range(count) if number not in numbers]
    # Of several that are used twice, each takes another one.
    again = [place for n, (place, number) in enumerate(taken) if number in numbers[:n]]
    rank = again.index(site.unit.base + item.start)
    if rank < len(free_ones):
        text = f"{item.value.identifier}[{free_ones[rank]}]"
        edits = [site.replace(item, text)]
        return make_fix(f"Use `{text}`, which nothing uses", edits, Safety.UNSAFE)
    counted = with_count(at, split, count + 1)
    if counted is None:
        return None
    edits = [counted, site.replace(item.index, str(count))]
    return make_fix("Split the key into one more", edits, Safety.UNSAFE)


def _numbers_taken(site: Site, name: str, count: int) -> list[tuple[int, int]] | None:
    """Where items are taken of some keys of a name, and which; None where it stands otherwise,
    besides where it is bound.
    """
    taken: list[tuple[int, int]] = []
    stands = 0
    for unit, body in _units_of(site):
        for node in walk(*body):
            match node:
                case nodes.Subscript(
                    value=nodes.Name(identifier=known), index=nodes.Constant(value=int() as number)
                ) if known == name and 0 <= number < count:
                    taken.append((unit.base + node.start, number))
                case nodes.Name(identifier=known) if known == name:
                    stands += 1
                case _:
                    pass
    return sorted(taken) if stands == len(taken) + 1 else None


def _block_around(earlier: Site, site: Site, key: nodes.Expression) -> list[Site]:
    """The statements of the block of an earlier one, if the site is in it; only those behind the
    one that makes the key, if that is there.
    """
    statement = earlier.at_statement()
    block, before = statement.sites_beside(), statement.sites_before()
    if not any(each.statement in site.way for each in block):
        return []
    made = [n for n, each in enumerate(before, 1) if names_in(key) & bound_by(each.statement)]
    return block[max(made, default=0) :]


def uses_of(block: Sequence[Site], text: str) -> list[_Use] | None:
    """The arguments of calls in some statements that are a key; None where it stands behind the
    first in another place, or in what runs another number of times than the block.
    """
    found: list[_Use] = []
    once = _called_once(block)
    for at in block:
        given = {
            id(value)
            for call in walk(at.statement)
            if isinstance(call, nodes.Call)
            for value in passed(call)
        }
        again = {
            id(part)
            for node in walk(at.statement)
            if node not in once
            for part in walk(*_repeated(node))
        }
        for node in walk(at.statement):
            if isinstance(node, Key | nodes.Subscript) and at.text(node) == text:
                if id(node) in given and id(node) not in again:
                    found.append((at, node))
                elif found:
                    return None
    return found


def _called_once(block: Sequence[Site]) -> list[nodes.FunctionDefinition]:
    """The functions that some statements define, and which the function around calls, or passes to
    a call, in one place that is not in a loop.
    """
    found: list[nodes.FunctionDefinition] = []
    outside = block[0].way[:-1] if block else ()
    around = next((n for n in reversed(outside) if isinstance(n, nodes.FunctionDefinition)), None)
    if around is None:
        return found
    for at in block:
        function = at.statement
        if not isinstance(function, nodes.FunctionDefinition) or function.decorators:
            continue
        names = [n for n in walk(*around.body) if isinstance(n, nodes.Name)]
        match [each for each in names if each.identifier == function.name]:
            case [only]:
                way = way_to(at.unit.body, only.start, only.end)
                inside = way[way.index(around) + 1 : -1]
                if isinstance(way[-2], nodes.Call) and not any([*_repeated(n)] for n in inside):
                    found.append(function)
            case _:
                pass
    return found


def _repeated(node: nodes.Node) -> Iterator[nodes.Node]:
    """The parts of a node that run otherwise than once where it does."""
    match node:
        case nodes.For(body=body):
            yield from body
        case nodes.While() | nodes.Comprehension():
            yield from children(node)
        case nodes.FunctionDefinition(body=body):
            yield from body
        case nodes.Lambda(body=value):
            yield value
        case _:
            pass


def are_all_uses(uses: Sequence[_Use], text: str, site: Site) -> bool:
    """Whether the function of the site, or outside of functions its file, uses a key nowhere behind
    the first of some uses but there.
    """
    function, (first, use) = own_function(site), uses[0]
    units = [site.unit] if function is not None else site.module.units
    found = (
        node
        for unit in units
        for node in walk(*(unit.body if function is None else function.body))
        if isinstance(node, Key | nodes.Subscript)
        and unit.text[node.start : node.end] == text
        and unit.base + node.start >= first.unit.base + use.start
    )
    return sum(1 for _ in found) == len(uses)


def _makes_keys(site: Site, key: nodes.Attribute) -> bool:
    """Whether the object that has a key is made of nothing, `rngs = Generator()`: it makes its keys
    itself, and may make another one each time.
    """
    if not isinstance(key.value, nodes.Name):
        return False
    name = key.value.identifier
    made = [
        node
        for _, body in _units_of(site)
        for node in walk(*body, into=False)
        if isinstance(node, nodes.Assignment) and name in bound_by(node)
    ]
    return any(
        isinstance(node.value, nodes.Call) and not (node.value.arguments or node.value.keywords)
        for node in made
    )


def _is_settled(site: Site, key: nodes.Expression, statements: Sequence[nodes.Statement]) -> bool:
    """Whether some statements leave a key as it is."""
    text = site.text(key)
    targets = (
        target
        for node in walk(*statements)
        if isinstance(node, nodes.Assignment)
        for target in node.targets
    )
    if _may_be_changed(key, statements):
        return False
    return names_in(key).isdisjoint(bound_by(*statements)) and not any(
        text.startswith(site.text(part))
        for target in targets
        for part in walk(target)
        if isinstance(part, nodes.Attribute | nodes.Subscript)
    )


def _may_be_changed(key: nodes.Expression, statements: Sequence[nodes.Statement]) -> bool:
    """Whether a statement is a call that gets the object which has a key, or of a method of it:
    such a call is made for what it changes.
    """
    match key:
        case nodes.Attribute(value=nodes.Name(identifier=name)):
            pass
        case nodes.Subscript(value=nodes.Name(identifier=name)):
            pass
        case _:
            return False
    for node in walk(*statements):
        match node:
            case nodes.ExpressionStatement(
                value=nodes.Call(function=function, arguments=arguments)
            ):
                owner = function.value if isinstance(function, nodes.Attribute) else function
                if any(
                    isinstance(each, nodes.Name) and each.identifier == name
                    for each in (owner, *arguments)
                ):
                    return True
            case _:
                pass
    return False


def is_repeated(site: Site, key: nodes.Expression, around: Sequence[nodes.Node] = ()) -> bool:
    """Whether a loop of Python around the site, but for some nodes, uses the same key again."""
    function, way = own_function(site), site.way[:-1]
    start = way.index(function) + 1 if function in way else 0
    loops = [
        node
        for node in way[start:]
        if isinstance(node, nodes.For | nodes.While) and node not in around
        if not (isinstance(node, nodes.For) and node.iterable in site.way)
    ]
    return any(names_in(key).isdisjoint(bound_by(loop)) for loop in loops)


def names_for(site: Site, count: int) -> tuple[str, Sequence[str]] | None:
    """What a split is bound to that makes so many parts, and the text of each."""
    if count == 2:
        first, second = (free(site, name) for name in ("first_key", "second_key"))
        return None if first is None or second is None else (f"{first}, {second}", (first, second))
    name = free(site, "keys", "part_keys")
    return None if name is None else (name, [f"{name}[{number}]" for number in range(count)])
