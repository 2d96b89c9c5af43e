"""Random keys in fixes: a key is split before it is used, and each part is used once."""

from collections.abc import Sequence
from typing import Final

from oakum_lint.fixes.editing.scopes import (
    free_name,
    is_own,
    names_of,
    own_function,
    reads_around,
)
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.editing.values import value_of
from oakum_lint.fixes.functions.timing import before_clock
from oakum_lint.fixes.keys.key_parts import (
    PART,
    SPLIT,
    Key,
    choice_of,
    free,
    is_assembled,
    is_key,
    is_read,
    is_target,
    items_of,
    keep_dropped,
    keep_other,
    may_be_none,
    passed,
    unused_part,
    use_part,
    use_unread,
    widen_last,
    widen_use,
    with_count,
)
from oakum_lint.fixes.keys.moved_splits import move_split
from oakum_lint.fixes.keys.seeds import take_another_seed
from oakum_lint.fixes.keys.shared_keys import (
    is_repeated,
    split_for_many,
    split_for_uses,
    take_another,
)
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.tree import bound_by, functions_in, names_in, walk, way_to
from oakum_lint.models import dotted
from oakum_lint.models.declarations import INITIALISERS
from oakum_lint.models.errors import SAYS_RAISES
from oakum_lint.models.habits import holds_key
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix
from oakum_lint.text.finding import Location

_FEW: Final = 2
"""For so many uses in one statement two names read better than a list."""
SIMPLE: Final = (
    nodes.Assignment,
    nodes.AugmentedAssignment,
    nodes.AnnotatedAssignment,
    nodes.ExpressionStatement,
    nodes.Return,
)


def split_before(site: Site, first: Location, names: frozenset[str]) -> Fix | None:
    """Splits the key, which variables of some names hold, before its first use, which then uses one
    part up; the other is carried on. If that use splits it and drops a part, that is kept.
    """
    earlier = find_site(site.module, first)
    if earlier is None:
        return None
    usual = key_of(site.node, names)
    if usual is not None and own_function(earlier) is own_function(site):
        key = _argument(earlier, site.text(usual))
    else:
        # An object holds it by then, or a function within, or another one that is passed it.
        key, usual = key_of(earlier.node, names), None
    if key is None and key_of(site.node, names) is not None:
        earlier, key = _packed(earlier, names) or (earlier, None)
    if are_one_call(earlier, site):
        return None
    if is_for_nothing(earlier) or is_for_nothing(site):
        return None if key is None or usual is None else split_for_many(earlier, key, site)
    if key is None:
        return take_another(earlier, site) or take_another_seed(earlier, site)
    if is_assembled(earlier, key):
        return None
    if isinstance(usual, nodes.Name) and is_repeated(site, usual, earlier.way):
        return _split_before_and_in_loop(earlier, key, site, usual)
    return _split_by(earlier, key, site, usual)


def _split_before_and_in_loop(earlier: Site, key: Key, site: Site, usual: nodes.Name) -> Fix | None:
    """Splits a key before the earlier use of it, and in each iteration of a loop behind that which
    has the later one.
    """
    if not (may_be_split(earlier, key) and may_be_split(site, usual)):
        return None
    first, again = split_once(earlier, key), split_once(site, usual)
    if first is None or again is None:
        return None
    edits = [*first.edits, *again.edits]
    return make_fix("Split the key before it is used, and in the loop", edits, Safety.UNSAFE)


def split_once(site: Site, key: Key) -> Fix | None:
    """Splits a key before a site uses it, or has the split that does so keep what it drops."""
    return keep_dropped(site, key) or keep_other(site, key) or split_key(site, key)


def _split_by(earlier: Site, key: Key, site: Site, usual: Key | None) -> Fix | None:
    """Splits a key before the earlier of two uses of it; where both are in one function, `usual` is
    the later one.
    """
    if not may_be_split(earlier, key):
        is_sure = usual is not None and not (
            isinstance(key, nodes.Name) and may_be_none(earlier, key)
        )
        return split_for_uses(earlier, key, site) if is_sure else None
    uses = _uses(earlier, key) if earlier.statement is site.statement else []
    if len(uses) > _FEW:
        return _split_for_all(earlier, key, uses) or split_key(earlier, key)
    if usual is not None and (many := split_for_many(earlier, key, site)) is not None:
        return many
    kept = keep_dropped(earlier, key) or keep_other(earlier, key)
    if kept is None and usual is not None:
        kept = use_unread(site, earlier, usual)
    return kept or widen_use(earlier, key) or split_key(earlier, key, site)


def expects_failure(site: Site) -> bool:
    """Whether the function of the site says that something in it raises, so that no number counts
    which it draws.
    """
    function = own_function(site)
    return function is not None and site.unit.says(SAYS_RAISES, function.start, function.end)


def are_one_call(earlier: Site, site: Site) -> bool:
    """Whether a call is made a second time that is one by its meaning: the first compiles the
    function, or each gives a part of its result.
    """
    return _is_warm_up(earlier, site) or _are_parts_of_one(earlier, site)


def _is_warm_up(earlier: Site, site: Site) -> bool:
    """Whether nobody reads what a call returns that is made again: it compiles the function. What
    it returns may be waited for.
    """
    match earlier.statement, earlier.node, site.node:
        case (
            nodes.ExpressionStatement(value=nodes.Call(function=outer) as value),
            nodes.Call() as first,
            nodes.Call() as again,
        ) if value is first or (_is_wait(outer) and first in walk(value)):
            return earlier.text(first.function) == site.text(again.function)
        case _:
            return False


def _are_parts_of_one(earlier: Site, site: Site) -> bool:
    """Whether two parts are taken of what one call makes, which is written twice."""
    parents = earlier.parent, site.parent
    if not all(isinstance(each, nodes.Subscript | nodes.Attribute) for each in parents):
        return False
    return earlier.text(earlier.node) == site.text(site.node)


def _is_wait(function: nodes.Expression) -> bool:
    """Whether a function, or a method of an array, is called so which waits for results."""
    return isinstance(function, nodes.Attribute) and dotted.BLOCK_UNTIL_READY.endswith(
        f".{function.attribute}"
    )


def is_for_nothing(site: Site) -> bool:
    """Whether nobody reads what the statement of the site makes: it is to go, and needs no key."""
    match site.statement:
        case nodes.Assignment(targets=(nodes.Name(identifier=name),)):
            function = own_function(site)
            is_local = function is not None and name not in names_of(function).declared
            return is_local and not is_read(site, name)
        case _:
            return False


def _uses(site: Site, key: Key) -> list[Key]:
    """The arguments of calls in the statement of a site that are the key; none where it stands in
    another place there, or in what is run for itself.
    """
    parts = [*walk(site.statement)]
    if any(
        isinstance(p, nodes.Lambda | nodes.Comprehension | nodes.FunctionDefinition) for p in parts
    ):
        return []
    text = site.text(key)
    uses = [
        value
        for call in parts
        if isinstance(call, nodes.Call)
        for value in passed(call)
        if is_key(value) and site.text(value) == text
    ]
    said = [each for each in parts if isinstance(each, Key) and site.text(each) == text]
    return uses if len(uses) == len(said) else []


def _split_for_all(site: Site, key: Key, uses: Sequence[nodes.Expression]) -> Fix | None:
    """Gives each use of a key in one statement a part of its own."""
    statement, spelling = site.statement, spell(site, SPLIT)
    parts = free(site, "keys", "part_keys")
    if spelling is None or parts is None or site.indent(statement) is None:
        return None
    name = site.text(key)
    line = f"{name}, *{parts} = {spelling.text}({name}, {len(uses) + 1})"
    edits = [site.line_before(statement, line), *spelling.edits]
    edits += [site.replace(use, f"{parts}[{number}]") for number, use in enumerate(uses)]
    return make_fix("Split the key into as many as are used", edits, Safety.UNSAFE)


def split_kept(site: Site, names: frozenset[str]) -> Fix | None:
    """Splits the key that an object keeps, which keeps a part of it for the next call."""
    key = key_of(site.node, names)
    if not isinstance(key, nodes.Attribute) or not may_be_split(site, key):
        return None
    return split_key(site, key)


def split_for_names(site: Site) -> Fix | None:
    """Makes as many parts of a key as there are names for them."""
    names, statement = site.node, site.parent
    match statement:
        case nodes.Assignment(
            targets=(nodes.Display(elements=elements) as target,), value=nodes.Call() as call
        ) if target is names and meaning(site, call.function) == SPLIT:
            pass
        case _:
            return None
    if any(isinstance(element, nodes.Starred) for element in elements):
        return None
    edit = with_count(site, call, len(elements))
    if edit is None:
        return None
    return make_fix(f"Split the key into {len(elements)}", [edit], Safety.UNSAFE)


def split_key(site: Site, key: Key, below: Site | None = None) -> Fix | None:
    """Splits a key before a site uses it, by the split of it that stands below, if any."""
    unused = unused_part(site, key)
    if unused is not None:
        return use_part(site, key, unused)
    moved = None if below is None else move_split(site, key, below)
    return moved or widen_last(site, key) or _split_at(site, key)


def _split_at(site: Site, key: Key) -> Fix | None:
    """Splits a key in a line of its own."""
    spelling, part = spell(site, SPLIT), part_name(site)
    statement, uses = choice_of(site, key)
    if spelling is None or part is None or site.indent(statement) is None:
        return None
    name = site.text(key)
    line = f"{name}, {part} = {spelling.text}({name})"
    way = site.way[: site.way.index(statement) + 1]
    before = before_clock(Site(site.module, site.unit, way))
    edits = [before.line_before(before.statement, line)]
    edits += [site.replace(use, part) for use in uses]
    title = "Split the key before it is used"
    return make_fix(title, [*edits, *spelling.edits], Safety.UNSAFE)


def key_of(node: nodes.Node, names: frozenset[str]) -> Key | None:
    """The key that a call uses up: of a module the one that its streams share, else its argument
    which is known by one of some names, or what an object keeps under one that keys have.
    """
    if not isinstance(node, nodes.Call):
        return None
    streams = _streams(node)
    if streams:
        return streams[0] if len(streams) == 1 and is_key(streams[0]) else None
    keys = [each for each in passed(node) if is_key(each)]
    known = [each for each in keys if ".".join(_parts_of(each)) in names]
    kept = [e for e in keys if isinstance(e, nodes.Attribute) and holds_key(e.attribute)]
    return next(iter((*known, *kept)), None)


def _parts_of(key: Key) -> tuple[str, ...]:
    if isinstance(key, nodes.Name):
        return (key.identifier,)
    assert isinstance(key.value, nodes.Name)
    return key.value.identifier, key.attribute


def _streams(call: nodes.Call) -> list[nodes.Expression]:
    """Returns the random streams that are passed to a call of a module."""
    passed = [keyword.value for keyword in call.keywords if keyword.name == "rngs"]
    shown = [part.values for part in passed if isinstance(part, nodes.DictDisplay)]
    return [value for values in shown for value in values] or passed


def _packed(site: Site, names: frozenset[str]) -> tuple[Site, nodes.Name] | None:
    """The key of one of some names in what an argument of the call at the site is, that stands as a
    tuple or the like in an earlier statement: `carry = (state, key)`; and where it stands.
    """
    if not isinstance(site.node, nodes.Call):
        return None
    values = [value_of(site, each) for each in passed(site.node) if isinstance(each, nodes.Name)]
    found = [
        (value, part)
        for value in values
        if isinstance(value, nodes.Display | nodes.DictDisplay)
        for part in items_of(value)
        if isinstance(part, nodes.Name) and part.identifier in names
    ]
    if len(found) != 1:
        return None
    value, key = found[0]
    way = way_to(site.unit.body, value.start, value.end)
    return Site(site.module, site.unit, way), key


def _argument(site: Site, key: str) -> Key | None:
    """The argument of the call at the site that is the key."""
    if not isinstance(site.node, nodes.Call):
        return None
    found = [value for value in passed(site.node) if is_key(value) and site.text(value) == key]
    return found[0] if len(found) == 1 else None


def may_be_split(site: Site, key: Key) -> bool:
    """Whether the key can be replaced by a new one before the statement of the site."""
    is_simple = isinstance(site.statement, SIMPLE)
    if isinstance(key, nodes.Attribute):
        return is_simple and _is_kept_by_object(site, key)
    name = key.identifier
    return (
        (is_simple or _begins_statement(site))
        and is_own(site, name)
        and not _is_held_before(site, name)
        and not may_be_none(site, key)
    )


def _begins_statement(site: Site) -> bool:
    """Whether the site is of what a compound statement computes once, before all else in it."""
    match site.statement:
        case nodes.For(iterable=head) | nodes.Assert(test=head):
            return head in site.way
        case nodes.If(test=head) as choice:
            return head in site.way and not site.is_elif(choice)
        case nodes.With(items=(head, *_)):
            return head in site.way
        case _:
            return False


def _is_held_before(site: Site, name: str) -> bool:
    """Whether a function that is made before the end of the statement of the site reads a name: it
    would read another key then.
    """
    function = own_function(site)
    if function is None:
        return False
    return any(
        each.start < site.statement.end and reads_around(each, name)
        for each in functions_in(*function.body)
    )


def _is_kept_by_object(site: Site, key: nodes.Attribute) -> bool:
    """Whether a key is an attribute of `self`, and the class one whose objects can be changed."""
    function = own_function(site)
    cls = next((n for n in reversed(site.way) if isinstance(n, nodes.ClassDefinition)), None)
    if function is None or cls is None or function not in cls.body or not function.parameters.items:
        return False
    if site.text(key.value) != function.parameters.items[0].name:
        return False
    return (not cls.bases and not cls.decorators) or _changes_objects(cls)


def _changes_objects(cls: nodes.ClassDefinition) -> bool:
    """Whether a method of a class sets an attribute of an object that is made: it is not frozen."""
    for method in cls.body:
        if not isinstance(method, nodes.FunctionDefinition) or method.name in INITIALISERS:
            continue
        own = {each.name for each in method.parameters.items[:1]}
        targets = [
            target
            for node in walk(*method.body)
            if isinstance(node, nodes.Assignment)
            for target in node.targets
        ]
        for target in items_of(*targets):
            match target:
                case nodes.Attribute(value=nodes.Name(identifier=owner)) if owner in own:
                    return True
                case _:
                    pass
    return False


def part_name(site: Site) -> str | None:
    """A name for the part that is used up: the usual one, if no other value of it is read later."""
    if free_name(site, PART) == PART:
        return PART
    function = own_function(site)
    body: Sequence[nodes.Node] = site.unit.body if function is None else function.body
    if PART not in bound_by(*body) and PART not in names_in(*body):
        return PART
    made = all(_makes_part(site, node) for node in walk(*body) if PART in bound_by(node))
    return PART if made and not _reads_first(site, body) else free_name(site, "part_key")


def _makes_part(site: Site, node: nodes.Node) -> bool:
    return not isinstance(node, nodes.Assignment) or (
        isinstance(node.value, nodes.Call) and meaning(site, node.value.function) == SPLIT
    )


def _reads_first(site: Site, body: Sequence[nodes.Node]) -> bool:
    """Whether the part is read behind the site before it is made again."""
    statement = site.statement
    made = [
        node.end
        for node in walk(*body)
        if isinstance(node, nodes.Assignment) and PART in bound_by(node)
    ]
    return any(
        isinstance(node, nodes.Name)
        and node.identifier == PART
        and node.start >= statement.start
        and not any(statement.start <= end <= node.start for end in made)
        and not any(is_target(node, other) for other in walk(*body))
        for node in walk(*body)
    )
