"""Splits of random keys that are there already: one makes one part more, or has a part that nobody
uses.
"""

from collections.abc import Sequence
from typing import Final, TypeGuard

from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.scopes import free_local_name, free_name, names_of, own_function
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.editing.values import may_be_left_out
from oakum_lint.fixes.site import Site, line_start
from oakum_lint.fixes.tree import bound_by, names_in, walk
from oakum_lint.models import dotted
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

Key = nodes.Name | nodes.Attribute
SPLIT: Final = dotted.SPLIT
PART: Final = "subkey"
_LONGEST: Final = 12
"""A name of more letters is none to be made longer."""


def widen_use(site: Site, key: Key) -> Fix | None:
    """Has a split that names all its parts, `a, b = split(key)`, make one more for what follows."""
    match site.statement:
        case nodes.Assignment(
            targets=(nodes.Display(elements=(first, *_) as names),), value=nodes.Call() as call
        ) if call is site.node and meaning(site, call.function) == SPLIT:
            pass
        case _:
            return None
    counted = _one_more(site, call, names)
    if counted is None:
        return None
    before = site.unit.text[line_start(site.unit.text, first.start) : first.start]
    is_on_line = before.strip() or first.start == site.statement.start
    gap = " " if is_on_line else f"{site.line_end}{before}"
    added = site.replace_range(first.start, first.start, f"{site.text(key)},{gap}")
    return make_fix("Split the key into one more", [added, counted], Safety.UNSAFE)


def widen_last(site: Site, key: Key) -> Fix | None:
    """Has the last split of the block that makes a key, `key, a = split(rng)`, make one part more
    for the site, or keep one that it drops.
    """
    if not isinstance(key, nodes.Name):
        return None
    statement, uses = choice_of(site, key)
    at = Site(site.module, site.unit, site.way[: site.way.index(statement) + 1])
    for before in reversed(at.sites_before()):
        match before.statement:
            case nodes.Assignment(
                targets=(nodes.Display(elements=names) as target,), value=nodes.Call() as call
            ) if key.identifier in bound_by(before.statement):
                if meaning(before, call.function) != SPLIT:
                    return None
                made = _one_part_more(site, before, target, names, call)
                if made is None:
                    return None
                part, edits = made
                edits += [site.replace(each, part) for each in uses]
                return make_fix("Split the key into one more", edits, Safety.UNSAFE)
            case nodes.Assignment(
                targets=(nodes.Name() as target,), value=nodes.Subscript() as taken
            ) if target.identifier == key.identifier and taken_part(before, taken) is not None:
                part = free(site, PART, named_after(site), "part_key")
                if part is None:
                    return None
                edits = _both_parts(before, taken, target, part)
                edits += [site.replace(each, part) for each in uses]
                return make_fix("Take both parts of the split", edits, Safety.UNSAFE)
            case other if key.identifier in bound_by(other):
                return None
            case _:
                pass
    return None


def _one_part_more(
    site: Site,
    before: Site,
    target: nodes.Display,
    names: Sequence[nodes.Expression],
    split: nodes.Call,
) -> tuple[str, list[Edit]] | None:
    """The name of one part more of a split before the site, and what makes it."""
    part = free(site, PART, named_after(site), "part_key")
    if part is None:
        return None
    for name in names:
        if isinstance(name, nodes.Name) and name.identifier == "_" and not is_read(site, "_"):
            return part, [before.replace(name, part)]
    counted = _one_more(before, split, names)
    if counted is None:
        return None
    last = names[-1].end
    comma = before.unit.text.find(",", last, target.end)
    behind = last if comma < 0 else comma + 1
    return part, [before.replace_range(last, behind, f", {part}"), counted]


def named_after(site: Site) -> str:
    """A name for a key by what uses it up, if that is short: `policy_key` for `policy(key, x)`."""
    match site.node:
        case nodes.Call(function=nodes.Name(identifier=name) | nodes.Attribute(attribute=name)) if (
            len(name) <= _LONGEST
        ):
            return f"{name.strip('_').lower()}_key"
        case _:
            return "part_key"


def choice_of(site: Site, key: Key) -> tuple[nodes.Statement, list[nodes.Node]]:
    """The statement before which a key is split, and the uses that get the part: all those of a
    choice of which each arm uses the key once, as one of them runs.
    """
    if not isinstance(key, nodes.Name):
        return site.statement, [key]
    around = site.way[: site.way.index(site.statement)]
    top: nodes.Node = site.statement
    uses = uses_in(key, site.statement)
    for node in reversed(around):
        if not isinstance(node, nodes.If):
            break
        several = _by_arms(node, key)
        if several is None:
            break
        if len(several) > len(uses):
            top, uses = node, several
    if top is not site.statement:
        assert isinstance(top, nodes.Statement)
        return top, uses
    for node in site.way[len(around) :]:
        if isinstance(node, nodes.Conditional):
            several = _by_arms(node, key)
            if several is not None and any(each is key for each in several):
                return site.statement, several
    return site.statement, [key]


def _by_arms(choice: nodes.If | nodes.Conditional, key: nodes.Name) -> list[nodes.Node] | None:
    """The uses of a key in the arms of a choice; None where one arm has several, or what decides
    uses it, or an arm binds it.
    """
    found: list[nodes.Node] = []
    pending: list[nodes.Node] = [choice]
    while pending:
        node = pending.pop()
        if not isinstance(node, nodes.If | nodes.Conditional):
            several = uses_in(key, node)
            if len(several) > 1:
                return None
            found += several
            continue
        if uses_in(key, node.test):
            return None
        for arm in _arms(node):
            if key.identifier in bound_by(*arm):
                return None
            if len(uses_in(key, *arm)) > 1 and len(arm) > 1:
                return None
            pending += arm if len(arm) == 1 else [n for n in arm if uses_in(key, n)]
    return found


def _arms(choice: nodes.If | nodes.Conditional) -> tuple[tuple[nodes.Node, ...], ...]:
    if isinstance(choice, nodes.If):
        return choice.body, choice.orelse
    return (choice.body,), (choice.orelse,)


def uses_in(key: nodes.Name, *roots: nodes.Node) -> list[nodes.Node]:
    return [
        node
        for node in walk(*roots)
        if isinstance(node, nodes.Name) and node.identifier == key.identifier
    ]


def keep_other(site: Site, key: Key) -> Fix | None:
    """Keeps for what follows the part of a key that a split in two leaves, `a = split(key)[0]`."""
    match site.statement:
        case nodes.Assignment(
            targets=(nodes.Name() as target,), value=nodes.Subscript() as taken
        ) if taken.value is site.node and taken_part(site, taken) is not None:
            edits = _both_parts(site, taken, target, site.text(key))
            return make_fix("Keep the other part of the key", edits, Safety.UNSAFE)
        case _:
            return None


def taken_part(site: Site, taken: nodes.Subscript) -> int | None:
    """Which of the two parts of a split is taken, `split(key)[0]`; None where it is no such."""
    match taken:
        case nodes.Subscript(
            value=nodes.Call() as call, index=nodes.Constant(value=int() as place)
        ) if meaning(site, call.function) == SPLIT and count_of(call) is None:
            return place if place in (0, 1) else None
        case _:
            return None


def _both_parts(site: Site, taken: nodes.Subscript, target: nodes.Name, other: str) -> list[Edit]:
    """Binds the part that is not taken of a split, too."""
    names = (target.identifier, other)
    both = names if taken_part(site, taken) == 0 else names[::-1]
    return [
        site.replace(target, ", ".join(both)),
        site.replace_range(taken.value.end, taken.end, ""),
    ]


def keep_dropped(site: Site, key: Key) -> Fix | None:
    """Keeps the part of a key that a split drops, `_, part = split(key)`, if nobody reads `_`."""
    match site.statement:
        case nodes.Assignment(
            targets=(nodes.Display(elements=elements),), value=nodes.Call() as call
        ) if call is site.node and meaning(site, call.function) == SPLIT:
            dropped = [e for e in elements if isinstance(e, nodes.Name) and e.identifier == "_"]
        case _:
            return None
    if not dropped or is_read(site, "_"):
        return None
    edit = site.replace(dropped[0], site.text(key))
    return make_fix("Keep the part of the key that is dropped", [edit], Safety.UNSAFE)


def use_unread(site: Site, earlier: Site, key: Key) -> Fix | None:
    """Uses a part of the split at an earlier site that was made, and that nobody reads, in the
    place of the key that was split.
    """
    match earlier.statement:
        case nodes.Assignment(
            targets=(nodes.Display(elements=elements),), value=nodes.Call() as call
        ) if call is earlier.node and meaning(earlier, call.function) == SPLIT:
            pass
        case _:
            return None
    if not any(earlier.statement is each.statement for each in site.at_statement().sites_before()):
        return None
    for element in elements:
        if isinstance(element, nodes.Name) and is_unread(site, earlier.statement, element):
            return use_part(site, key, (earlier, element))
    return None


def use_part(site: Site, key: Key, unread: tuple[Site, nodes.Name]) -> Fix:
    """Uses a part that nobody reads of a split, which is the other site, in the place of a key."""
    split, part = unread
    title, edit = f"Use `{part.identifier}`, which nothing uses", site.replace(key, part.identifier)
    return make_fix(title, [edit], Safety.UNSAFE, takes=split.unit.base + part.start)


def is_unread(site: Site, made: nodes.Statement, name: nodes.Name) -> bool:
    """Whether what a statement before the site makes under a name is read by nobody: neither behind
    it in its block until the name is made again, nor anywhere, if that is not.
    """
    if name.identifier == "_":
        return False
    function = own_function(site)
    if function is None:
        return not is_read(site, name.identifier)
    names = names_of(function)
    if name.identifier in names.held | names.declared:
        return False
    block = (*site.before(site.statement), site.statement, *site.behind(site.statement))
    for statement in block[block.index(made) + 1 :]:
        if _reads(name.identifier, (statement,)):
            return False
        match statement:
            case nodes.Assignment() if name.identifier in bound_by(statement):
                return True
            case _ if name.identifier in bound_by(statement):
                return False
            case _:
                pass
    return not is_read(site, name.identifier)


def unused_part(site: Site, key: Key) -> tuple[Site, nodes.Name] | None:
    """The part that the last split of a key has left for what follows, if nothing reads it."""
    if not isinstance(key, nodes.Name):
        return None
    since: set[str] = set()  # names that hold something else by now
    for before in reversed(site.at_statement().sites_before()):
        statement = before.statement
        match statement:
            case nodes.Assignment(
                targets=(nodes.Display(elements=parts),), value=nodes.Call() as call
            ) if key.identifier in bound_by(statement) and meaning(site, call.function) == SPLIT:
                since.add(key.identifier)
                left = [p for p in parts if isinstance(p, nodes.Name) and p.identifier not in since]
                return next(((before, p) for p in left if is_unread(site, statement, p)), None)
            case _ if key.identifier in bound_by(statement):
                return None
            case _:
                since |= bound_by(statement)
    return None


def _one_more(site: Site, split: nodes.Call, names: Sequence[nodes.Expression]) -> Edit | None:
    """Has a split make one part more than it has names; None where these are not all its parts."""
    asked = count_of(split)
    known = 2 if asked is None else asked.value if isinstance(asked, nodes.Constant) else None
    if known != len(names) or not all(map(is_key, names)):
        return None
    return with_count(site, split, len(names) + 1)


def count_of(split: nodes.Call) -> nodes.Expression | None:
    """How many parts a split is asked for; None where nothing says so."""
    named = (each.value for each in split.keywords if each.name == "num")
    return next(iter((*split.arguments[1:2], *named)), None)


def with_count(site: Site, split: nodes.Call, count: int) -> Edit | None:
    """Has a split make so many parts; None where more than a number says how many."""
    match count_of(split):
        case nodes.Constant(value=int()) as number:
            return site.replace(number, str(count))
        case None:
            return added_argument(site, split, f"num={count}" if split.keywords else str(count))
        case _:
            return None


def passed(call: nodes.Call) -> list[nodes.Expression]:
    """The arguments of a call, and what stands in those that are written as tuples, lists or
    dictionaries: a state that is carried has its key so.
    """
    return items_of(*call.arguments, *(keyword.value for keyword in call.keywords))


def items_of(*values: nodes.Expression) -> list[nodes.Expression]:
    """Some expressions, in the place of tuples, lists and dictionaries what stands in these."""
    found: list[nodes.Expression] = []
    pending = [*values][::-1]
    while pending:
        match pending.pop():
            case nodes.Display(elements=elements):
                pending += elements[::-1]
            case nodes.DictDisplay(values=values):
                pending += values[::-1]
            case value:
                found.append(value)
    return found


def is_key(node: nodes.Expression) -> TypeGuard[Key]:
    """Whether an expression is a name, or an attribute of one."""
    return isinstance(node, nodes.Name) or (
        isinstance(node, nodes.Attribute) and isinstance(node.value, nodes.Name)
    )


def may_be_none(site: Site, key: nodes.Name) -> bool:
    """Whether a key is a parameter that callers may leave out, and nothing asks if it is there:
    neither a function of JAX that draws by it at the site, nor what stands around or before.
    """
    function, name = own_function(site), key.identifier
    if function is None or not may_be_left_out(site, key):
        return False
    if isinstance(site.node, nodes.Call) and meaning(site, site.node.function).startswith(
        dotted.IN_RANDOM
    ):
        return False
    before = (n for n in walk(*function.body) if n.end <= site.statement.start or n in site.way)
    return not any(
        isinstance(node, nodes.If | nodes.Assert) and name in names_in(node.test) for node in before
    )


def is_assembled(site: Site, key: nodes.Expression) -> bool:
    """Whether a key is an array of several that functions of arrays put together:
    `jnp.stack([key] * 3)`.
    """
    if not isinstance(key, nodes.Name):
        return False
    function = own_function(site)
    bodies = (unit.body for unit in site.module.units) if function is None else (function.body,)
    return any(
        isinstance(node, nodes.Assignment)
        and key.identifier in bound_by(node)
        and _is_of_arrays(site, node.value)
        for body in bodies
        for node in walk(*body, into=False)
    )


def _is_of_arrays(site: Site, value: nodes.Expression) -> bool:
    """Whether a value is what a function of arrays returns, or a method of that."""
    while isinstance(value, nodes.Call):
        path = meaning(site, value.function)
        if path or not isinstance(value.function, nodes.Attribute):
            return path.startswith(dotted.IN_JNP)
        value = value.function.value
    return False


def free(site: Site, *wanted: str) -> str | None:
    """The first of some names that means nothing where the site is."""
    function = own_function(site)
    return free_name(site, *wanted) if function is None else free_local_name(function, *wanted)


def is_read(site: Site, name: str) -> bool:
    """Whether the function of the site, or outside of functions its file, reads a name."""
    function = own_function(site)
    if function is not None:
        return _reads(name, function.body)
    return any(_reads(name, unit.body) for unit in site.module.units)


def _reads(name: str, body: Sequence[nodes.Node]) -> bool:
    """Whether a name stands in statements of one unit where it is not bound."""
    found = (n for n in walk(*body) if isinstance(n, nodes.Name) and n.identifier == name)
    return any(not any(is_target(n, other) for other in walk(*body)) for n in found)


def is_target(name: nodes.Name, node: nodes.Node) -> bool:
    match node:
        case nodes.Assignment(targets=targets):
            pass
        case nodes.For(target=target) | nodes.ComprehensionFor(target=target):
            targets = (target,)
        case _:
            return False
    return any(target.start <= name.start < target.end for target in targets)
