"""Random keys in objects: what a function hands back holds a new key, and not the used one."""

from oakum_lint.fixes.editing.calls import added_argument
from oakum_lint.fixes.editing.scopes import free_local_name, own_function
from oakum_lint.fixes.editing.spelling import meaning, spell
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import walk
from oakum_lint.models import dotted
from oakum_lint.models.habits import REPLACING
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import returns_of
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix


def hand_back_new(site: Site) -> Fix | None:
    """Splits the key of an object, and passes a part to `state.replace(...)`, which is handed back.
    A split that is there already has a part for it, if nothing reads that.
    """
    function, call = own_function(site), site.node
    if not isinstance(function, nodes.FunctionDefinition) or not isinstance(call, nodes.Call):
        return None
    key = next((each for each in call.arguments[:1]), None)
    match key:
        case nodes.Attribute(value=nodes.Name(identifier=root), attribute=attribute):
            pass
        case _:
            return None
    made = _made_like(function, root, attribute)
    if not made or site.statement not in function.body:
        return None
    if meaning(site, call.function) == dotted.SPLIT:
        found = _part_of_split(site, function, call)
    else:
        found = _split_first(site, function, key, attribute)
    if found is None:
        return None
    name, edits = found
    added = [added_argument(site, each, f"{attribute}={name}") for each in made]
    known = [edit for edit in added if edit is not None]
    if len(known) < len(added):
        return None
    return make_fix("Hand back a new key", [*edits, *known], Safety.UNSAFE)


def _made_like(function: nodes.FunctionDefinition, root: str, attribute: str) -> list[nodes.Call]:
    """The calls that make objects like the one under a name, with the same attribute; none where
    the object itself is handed back too.
    """
    if any(
        isinstance(part, nodes.Name) and part.identifier == root
        for each in returns_of(function.body)
        for part in _parts(each.value)
    ):
        return []
    found: list[nodes.Call] = []
    for node in walk(*function.body):
        match node:
            case nodes.Call(
                function=nodes.Attribute(value=nodes.Name(identifier=name), attribute=method)
            ) if name == root and method.strip("_") == REPLACING:
                if {keyword.name for keyword in node.keywords} & {attribute, None}:
                    return []
                found.append(node)
            case _:
                pass
    return found


def _parts(value: nodes.Expression | None) -> tuple[nodes.Expression, ...]:
    match value:
        case None:
            return ()
        case nodes.Display(elements=elements):
            return elements
        case _:
            return (value,)


def _part_of_split(
    site: Site, function: nodes.FunctionDefinition, call: nodes.Call
) -> tuple[str, list[Edit]] | None:
    """The name of a part of the split at the site that nothing reads, and what names it."""
    match site.statement:
        case nodes.Assignment(
            targets=(nodes.Display(elements=elements),), value=nodes.Call() as value
        ) if value is call:
            pass
        case _:
            return None
    for element in elements:
        if not isinstance(element, nodes.Name):
            return None
        if element.identifier == "_":
            name = free_local_name(function, "new_key", "next_key")
            return None if name is None else (name, [site.replace(element, name)])
        names = [each for each in walk(*function.body) if isinstance(each, nodes.Name)]
        if sum(each.identifier == element.identifier for each in names) == 1:
            return element.identifier, []
    return None


def _split_first(
    site: Site, function: nodes.FunctionDefinition, key: nodes.Expression, attribute: str
) -> tuple[str, list[Edit]] | None:
    """The name of a part of a key that is split before the statement of the site, which uses the
    other one up.
    """
    spelling, statement = spell(site, dotted.SPLIT), site.statement
    name = free_local_name(function, attribute, f"new_{attribute}")
    part = free_local_name(function, "subkey", "part_key")
    if spelling is None or name is None or part is None or site.indent(statement) is None:
        return None
    line = f"{name}, {part} = {spelling.text}({site.text(key)})"
    edits = [site.line_before(statement, line), site.replace(key, part), *spelling.edits]
    return name, edits
