"""Random keys that iterations share, in fixes: each iteration draws by a key of its own."""

from oakum_lint.fixes.editing.expressions import argument_text, operand_text
from oakum_lint.fixes.editing.scopes import is_own, own_function, reads_around
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.editing.values import value_of
from oakum_lint.fixes.keys.key_parts import (
    SPLIT,
    Key,
    free,
    may_be_none,
)
from oakum_lint.fixes.keys.random_keys import (
    SIMPLE,
    key_of,
    may_be_split,
    part_name,
    split_once,
)
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_by, names_in, walk, way_to
from oakum_lint.models import dotted
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix


def split_for_scan(site: Site, names: frozenset[str]) -> Fix | None:
    """Has a `scan` over nothing, `scan(step, start, None, length=n)`, go over as many parts of the
    key that the function around its body has; the body gets one in the place of its unread item.
    """
    key, spelling = key_of(site.node, names), spell(site, SPLIT)
    body = own_function(site)
    around = next((f for f in site.functions[1:2] if isinstance(f, nodes.FunctionDefinition)), None)
    if not isinstance(key, nodes.Name) or body is None or around is None or spelling is None:
        return None
    call = _scan_over_nothing(site, around, body.name)
    match body.parameters.items:
        case [carry, nodes.Parameter(default=None, annotation=None) as item]:
            pass
        case _:
            return None
    is_free = item.name not in names_in(*body.body) and carry.name != key.identifier
    if call is None or not is_free or body.decorators or not reads_around(body, key.identifier):
        return None
    at, count = call
    if not is_own(at, key.identifier) or may_be_none(at, key):
        return None
    assert isinstance(at.node, nodes.Call)
    parts = f"{spelling.text}({key.identifier}, {at.text(count.value)})"
    edits = [
        at.replace_range(at.node.arguments[2].start, count.end, parts),
        site.replace_range(item.start, item.end, key.identifier),
        *spelling.edits,
    ]
    return make_fix("Split the key for the iterations", edits, Safety.UNSAFE)


def _scan_over_nothing(
    site: Site, around: nodes.FunctionDefinition, name: str
) -> tuple[Site, nodes.Keyword] | None:
    """The call of `scan` in a function that a function in it is for and nothing else, if it goes
    over nothing, and how often it does.
    """
    stands = [n for n in walk(*around.body) if isinstance(n, nodes.Name) and n.identifier == name]
    if len(stands) != 1:
        return None
    at = Site(site.module, site.unit, way_to(site.unit.body, stands[0].start, stands[0].end)[:-1])
    match at.node:
        case nodes.Call(
            arguments=(first, _, nodes.Constant(value=None)),
            keywords=(nodes.Keyword(name="length") as count,),
        ) if first is stands[0] and meaning(at, at.node.function) == dotted.SCAN:
            return (at, count) if own_function(at) is around else None
        case _:
            return None


def split_in_loop(site: Site, names: frozenset[str]) -> Fix | None:
    """Splits the key in each iteration of the loop of Python that the site is in."""
    key = key_of(site.node, names)
    function = own_function(site)
    if key is None or not any(isinstance(node, nodes.For | nodes.While) for node in site.way):
        return None
    loop = next(n for n in reversed(site.way) if isinstance(n, nodes.For | nodes.While))
    if function is not None and site.way.index(loop) < site.way.index(function):
        return None
    if not may_be_split(site, key):
        return _fold_in_iteration(site, key, loop)
    return split_once(site, key)


def _fold_in_iteration(site: Site, key: Key, loop: nodes.For | nodes.While) -> Fix | None:
    """Makes a key of the number of the iteration, `for i in range(n)`, of one that the function of
    the loop cannot assign.
    """
    spelling = spell(site, dotted.FOLD_IN)
    if spelling is None or not isinstance(loop, nodes.For) or loop.is_async or not _is_step(site):
        return None
    counter, edits = _counter_of(site, loop)
    if not counter or counter in bound_by(*loop.body):
        return None
    if not bound_by(loop).isdisjoint(names_in(key)) or _is_in_more_loops(site, key, loop):
        return None
    edits += [site.replace(key, f"{spelling.text}({site.text(key)}, {counter})"), *spelling.edits]
    return make_fix("Make a key of the counter", edits, Safety.UNSAFE)


def _is_in_more_loops(site: Site, key: Key, loop: nodes.For) -> bool:
    """Whether another loop of the function uses a key, too, or has the loop in it: their counters
    would make the same keys.
    """
    function, text = own_function(site), site.text(key)
    return any(
        isinstance(node, nodes.For | nodes.While)
        and node is not loop
        and any(isinstance(each, Key) and site.text(each) == text for each in walk(node))
        for node in walk(*(site.unit.body if function is None else function.body))
    )


def _counter_of(site: Site, loop: nodes.For) -> tuple[str, list[Edit]]:
    """The name of the number of the iteration of a loop, and what gives it one."""
    free_one = free(site, "i", "step", "iteration") or ""
    match loop.iterable, loop.target:
        case nodes.Call(function=nodes.Name(identifier="range")), nodes.Name() as counter:
            pass
        case (
            nodes.Call(function=nodes.Name(identifier="enumerate")),
            nodes.Display(elements=(nodes.Name() as counter, _)),
        ):
            pass
        case _:
            item = operand_text(site, loop.target)
            return free_one, [
                site.replace(loop.target, f"{free_one}, {item}"),
                site.replace(loop.iterable, f"enumerate({argument_text(site, loop.iterable)})"),
            ]
    if counter.identifier == "_":
        return free_one, [site.replace(counter, free_one)]
    return counter.identifier, []


def _is_step(site: Site) -> bool:
    """Whether the site is computed once for its statement."""
    return isinstance(site.statement, SIMPLE) and not any(
        isinstance(node, nodes.Lambda | nodes.Comprehension) for node in site.way
    )


def split_for_comprehension(site: Site, names: frozenset[str]) -> Fix | None:
    """Passes a part of the key to each iteration of a comprehension over `range(n)`, or over a
    sequence that has a name.
    """
    key, spelling, part = key_of(site.node, names), spell(site, SPLIT), part_name(site)
    around = next((n for n in reversed(site.way) if isinstance(n, nodes.Comprehension)), None)
    if key is None or spelling is None or part is None or around is None:
        return None
    if isinstance(key, nodes.Name) and may_be_none(site, key):
        return None
    match around.clauses:
        case (nodes.ComprehensionFor(tests=()) as clause,):
            pass
        case _:
            return None
    name, target = site.text(key), site.text(clause.target)
    is_read = bool(names_in(clause.target) & names_in(around.element, around.value or key))
    match clause.iterable:
        case nodes.Call(function=nodes.Name(identifier="range"), arguments=(count,)):
            parts = f"{spelling.text}({name}, {site.text(count)})"
            looped = (f"{target}, {part}", f"enumerate({parts})") if is_read else (part, parts)
        case nodes.Name(identifier=passed) as iterable if not _is_iterator(site, iterable):
            parts = f"{spelling.text}({name}, len({passed}))"
            item = f"({target})" if isinstance(clause.target, nodes.Display) else target
            looped = f"{item}, {part}", f"zip({passed}, {parts})"
        case nodes.Call(
            function=nodes.Name(identifier="zip"), arguments=(first, *_) as zipped, keywords=()
        ) if (
            isinstance(clause.target, nodes.Display)
            and not _is_iterator(site, first)
            and not any(isinstance(each, nodes.Call | nodes.Starred) for each in walk(*zipped))
        ):
            texts, items = (
                ", ".join(map(site.text, each)) for each in (zipped, clause.target.elements)
            )
            parts = f"{spelling.text}({name}, len({site.text(first)}))"
            looped = f"{items}, {part}", f"zip({texts}, {parts})"
        case _:
            return None
    edits = [
        site.replace(key, part),
        site.replace(clause.target, looped[0]),
        site.replace(clause.iterable, looped[1]),
        *spelling.edits,
    ]
    return make_fix("Split the key for the iterations", edits, Safety.UNSAFE)


def _is_iterator(site: Site, iterable: nodes.Expression) -> bool:
    """Whether what a comprehension goes over, or the value of its name, is seen to be an iterator,
    which has no length.
    """
    value = value_of(site, iterable) if isinstance(iterable, nodes.Name) else iterable
    match value:
        case nodes.Comprehension(kind=kind):
            return kind == "generator"
        case nodes.Call(function=function):
            facts = builtin_facts(site.text(function))
            return facts is not None and facts.result == "iterator"
        case _:
            return False
