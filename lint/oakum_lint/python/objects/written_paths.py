"""What the text of a function writes outside it, and what it calls, by the paths that it names.

The function is not run, as what it gets is not known.
"""

from oakum.values.records import dataclass, field
from oakum_lint.domain.project import Module
from oakum_lint.models.mutation import CHANGES, TAKES_ITEMS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.walk import walk

Path = tuple[str, ...]
"""A name, and attributes of what it stands for."""
Definition = nodes.FunctionDefinition | nodes.Lambda


@dataclass(slots=True)
class Writes:
    """What the text of a function writes outside it: each path once, in the order in which they are
    found, as an object has its attributes in the order in which they are written.
    """

    own: set[str] = field(default_factory=set[str])
    """Its parameters, and the names that it binds itself."""
    variables: dict[str, None] = field(default_factory=dict[str, None])
    contents: dict[Path, None] = field(default_factory=dict[Path, None])
    """Containers that are changed."""
    attributes: dict[Path, None] = field(default_factory=dict[Path, None])
    calls: dict[Path, None] = field(default_factory=dict[Path, None])
    taken_from: dict[Path, None] = field(default_factory=dict[Path, None])
    """Containers whose elements it may call: `hooks[name]()`, `for hook in hooks: hook()`."""


def effect_of(unit: UnitFacts, definition: Definition, module: Module | None) -> tuple[object, ...]:
    """Returns what those who ask for the writes of a function learn of its text, and those who ask
    for what stands around it: a function that is in no other finds there what its module has.
    """
    writes = writes_of(definition)
    calls = [
        [path for path in paths if path[0] in writes.own or _may_matter(module, path[0])]
        for paths in (writes.calls, writes.taken_from)
    ]
    paths = [*writes.contents, *writes.attributes, *calls[0], *calls[1]]
    own = frozenset(path[0] for path in paths if path[0] in writes.own)
    written = (tuple(writes.variables), tuple(writes.contents), tuple(writes.attributes))
    around = [
        name
        for name in names_around(unit, definition)
        if _may_matter(module, name)
        and (module is None or name not in writes.own or module.may_be_bound(name))
    ]
    return (own, *written, *map(tuple, calls), tuple(around))


def _may_matter(module: Module | None, name: str) -> bool:
    return module is None or module.may_hold_own(name)


def names_around(unit: UnitFacts, definition: Definition) -> tuple[str, ...]:
    """The names in a function that may stand for what is around it, and not for what it gets."""
    own = {parameter.name for parameter in definition.parameters.items}
    named = unit.variables_in(definition.start, definition.end)
    return tuple([name for name in named if name not in own])


def writes_of(definition: Definition) -> Writes:
    """Reads what a function writes off its text."""
    writes = Writes()
    items = definition.parameters.items
    writes.own.update(each.name for each in items)
    taken: dict[Path, None] = {}
    each: set[str] = set()
    for node in walk((definition,)):
        _add(writes, node)
        _add_taken(writes, taken, node)
        if isinstance(node, nodes.ComprehensionFor):
            parts = walk((node.target,))
            each.update(part.identifier for part in parts if isinstance(part, nodes.Name))
    each |= writes.own
    if any(path[0] in each and not path[1:] for path in writes.calls):
        writes.taken_from.update(taken)
    # What its own names stand for is not known, but for its first argument.
    unknown = writes.own - writes.variables.keys() - {each.name for each in items[:1]}
    for paths in (writes.contents, writes.attributes, writes.calls, writes.taken_from):
        for path in [path for path in paths if path[0] in unknown]:
            del paths[path]
    return writes


def _add_taken(writes: Writes, taken: dict[Path, None], node: nodes.Node) -> None:
    """Adds the containers whose elements a part of a function calls, or takes."""
    match node:
        case nodes.Call(function=nodes.Subscript(value=owner)):
            writes.taken_from.update(_whole(owner))
        case nodes.Call(
            function=nodes.Call(function=nodes.Attribute(value=owner, attribute=name))
        ) if name in TAKES_ITEMS:
            writes.taken_from.update(_whole(owner))
        case nodes.Call(function=nodes.Attribute(value=owner, attribute=name)) if (
            name in TAKES_ITEMS
        ):
            taken.update(_whole(owner))
        case (
            nodes.Subscript(value=owner)
            | nodes.For(iterable=owner)
            | nodes.ComprehensionFor(iterable=owner)
        ):
            taken.update(_whole(owner))
        case _:
            pass


def _whole(node: nodes.Expression) -> dict[Path, None]:
    """The path to an object, if it is in no container."""
    path, inside = _path(node)
    return {path: None} if path and not inside else {}


def _add(writes: Writes, node: nodes.Node) -> None:
    """Adds what a part of a function writes."""
    match node:
        case nodes.ScopeDeclaration(names=names):
            writes.variables.update(dict.fromkeys(names))
        case nodes.Assignment(targets=targets) | nodes.Delete(targets=targets):
            for target in targets:
                _add_target(writes, target)
        case nodes.AugmentedAssignment(target=target) | nodes.AnnotatedAssignment(target=target):
            _add_target(writes, target)
        case nodes.For(target=target):
            _add_target(writes, target)
        case nodes.Call(function=function):
            match function:
                case nodes.Attribute(value=owner, attribute=name) if name in CHANGES:
                    path, _ = _path(owner)
                    if path:
                        writes.contents[path] = None
                case _:
                    path, inside = _path(function)
                    if path and not inside:
                        writes.calls[path] = None
        case _:
            pass


def _add_target(writes: Writes, target: nodes.Expression) -> None:
    match target:
        case nodes.Display(elements=elements):
            for element in elements:
                _add_target(writes, element)
        case nodes.Starred(value=value):
            _add_target(writes, value)
        case nodes.Name(identifier=name):
            writes.own.add(name)
        case nodes.Subscript(value=owner):
            path, _ = _path(owner)
            if path:
                writes.contents[path] = None
        case nodes.Attribute(value=owner, attribute=name):
            path, inside = _path(owner)
            if path and inside:
                writes.contents[path] = None
            elif path:
                writes.attributes[*path, name] = None
        case _:
            pass


def _path(node: nodes.Expression) -> tuple[Path, bool]:
    """The path to an object, or to the container that it is in, and whether it is in one; empty
    where it has none.
    """
    names: list[str] = []
    inside = False
    while True:
        match node:
            case nodes.Attribute(value=owner, attribute=name):
                names.append(name)
                node = owner
            case nodes.Subscript(value=owner):
                names.clear()
                inside = True
                node = owner
            case nodes.Name(identifier=name):
                return (name, *reversed(names)), inside
            case _:
                return (), inside
