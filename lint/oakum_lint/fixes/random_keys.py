"""Random keys in fixes: a key is split before it is used, and each part is used once."""

from collections.abc import Sequence

from oakum_lint.edits import Fix, Safety, make_fix
from oakum_lint.facts import nodes
from oakum_lint.finding import Location
from oakum_lint.fixes.scopes import free_name, is_own, own_function
from oakum_lint.fixes.site import Site, find_site
from oakum_lint.fixes.spelling import meaning, spell
from oakum_lint.fixes.tree import bound_by, names_in, walk

_SPLIT = "jax.random.split"
_PART = "subkey"


def split_before(site: Site, first: Location) -> Fix | None:
    """Splits the key before its first use, which then uses one part up; the other is carried on."""
    earlier = find_site(site.module, first)
    if earlier is None or own_function(earlier) is not own_function(site):
        return None
    key = _key_of(site.node)
    found = _argument(earlier.node, key.identifier) if key is not None else None
    if found is None or not _may_be_split(earlier, found.identifier):
        return None
    return _split(earlier, found)


def split_in_loop(site: Site) -> Fix | None:
    """Splits the key in each round of the loop of Python that the site is in."""
    key = _key_of(site.node)
    function = own_function(site)
    if key is None or not any(isinstance(node, nodes.For | nodes.While) for node in site.way):
        return None
    loop = next(n for n in reversed(site.way) if isinstance(n, nodes.For | nodes.While))
    if function is not None and site.way.index(loop) < site.way.index(function):
        return None
    return _split(site, key) if _may_be_split(site, key.identifier) else None


def split_for_comprehension(site: Site) -> Fix | None:
    """Gives each round of a comprehension over `range(n)` a part of the key."""
    key, spelling = _key_of(site.node), spell(site, _SPLIT)
    around = next((n for n in reversed(site.way) if isinstance(n, nodes.Comprehension)), None)
    if key is None or spelling is None or around is None or len(around.clauses) != 1:
        return None
    (clause,) = around.clauses
    match clause:
        case nodes.ComprehensionFor(
            target=nodes.Name(identifier=counter),
            iterable=nodes.Call(function=nodes.Name(identifier="range"), arguments=(count,)),
            tests=(),
        ):
            pass
        case _:
            return None
    part = _part_name(site)
    if part is None or counter in names_in(around.element) or around.value is not None:
        return None
    parts = f"{spelling.text}({key.identifier}, {site.text(count)})"
    edits = [
        site.replace(key, part),
        site.replace(clause.target, part),
        site.replace(clause.iterable, parts),
        *spelling.edits,
    ]
    return make_fix("Split the key for the rounds", edits, Safety.UNSAFE)


def _split(site: Site, key: nodes.Name) -> Fix | None:
    statement = site.statement
    spelling, part = spell(site, _SPLIT), _part_name(site)
    if spelling is None or part is None or site.indent(statement) is None:
        return None
    line = f"{key.identifier}, {part} = {spelling.text}({key.identifier})"
    edits = [site.line_before(statement, line), site.replace(key, part), *spelling.edits]
    return make_fix("Split the key before it is used", edits, Safety.UNSAFE)


def _key_of(node: nodes.Node) -> nodes.Name | None:
    """The key that a call uses up: its argument of that name, or its first that is a name."""
    if not isinstance(node, nodes.Call):
        return None
    for keyword in node.keywords:
        if keyword.name in ("key", "rng", "seed") and isinstance(keyword.value, nodes.Name):
            return keyword.value
    first = node.arguments[0] if node.arguments else None
    return first if isinstance(first, nodes.Name) else None


def _argument(node: nodes.Node, name: str) -> nodes.Name | None:
    if not isinstance(node, nodes.Call):
        return None
    values = (*node.arguments, *(keyword.value for keyword in node.keywords))
    names = [v for v in values if isinstance(v, nodes.Name) and v.identifier == name]
    return names[0] if len(names) == 1 else None


def _may_be_split(site: Site, name: str) -> bool:
    """Whether the name of the key can be bound to a new key before the statement of the site."""
    statement = site.statement
    simple = (
        nodes.Assignment,
        nodes.AugmentedAssignment,
        nodes.AnnotatedAssignment,
        nodes.ExpressionStatement,
        nodes.Return,
    )
    function = own_function(site)
    inside = [] if function is None else list(walk(*function.body))
    held = any(
        isinstance(node, nodes.FunctionDefinition | nodes.Lambda) and name in names_in(node)
        for node in inside
    )
    return isinstance(statement, simple) and is_own(site, name) and not held


def _part_name(site: Site) -> str | None:
    """A name for the part that is used up: the usual one, if no other value of it is read later."""
    if free_name(site, _PART) == _PART:
        return _PART
    function = own_function(site)
    body: Sequence[nodes.Node] = site.unit.body if function is None else function.body
    if _PART not in bound_by(*body) and _PART not in names_in(*body):
        return _PART
    made = all(_makes_part(site, node) for node in walk(*body) if _PART in bound_by(node))
    return _PART if made and not _reads_first(site, body) else free_name(site, "part_key")


def _makes_part(site: Site, node: nodes.Node) -> bool:
    return not isinstance(node, nodes.Assignment) or (
        isinstance(node.value, nodes.Call) and meaning(site, node.value.function) == _SPLIT
    )


def _reads_first(site: Site, body: Sequence[nodes.Node]) -> bool:
    """Whether the part is read behind the site before it is made anew."""
    statement = site.statement
    made = [
        node.end
        for node in walk(*body)
        if isinstance(node, nodes.Assignment) and _PART in bound_by(node)
    ]
    return any(
        isinstance(node, nodes.Name)
        and node.identifier == _PART
        and node.start >= statement.start
        and not any(statement.start <= end <= node.start for end in made)
        and not any(_is_target(node, other) for other in walk(*body))
        for node in walk(*body)
    )


def _is_target(name: nodes.Name, node: nodes.Node) -> bool:
    return isinstance(node, nodes.Assignment) and any(
        target.start <= name.start < target.end for target in node.targets
    )
