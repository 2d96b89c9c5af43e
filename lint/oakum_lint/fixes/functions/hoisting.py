"""Jitted functions that a loop makes again, in fixes: they are made once, before the loop.

None where what is jitted reads a name that the loop binds, or an object that it changes, also in a
function of the file: it is another one in each iteration.
"""

from oakum_lint.fixes.editing.scopes import free_name, is_own, own_function, reads_around
from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.site import Site, find_definition
from oakum_lint.fixes.tree import bound_by, names_in, walk
from oakum_lint.models import dotted
from oakum_lint.models.frameworks.register import framework_transform
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix


def before_loop(site: Site) -> Fix | None:
    """Makes the flagged jitted function before the outermost loop that it does not depend on."""
    made, statement = site.node, site.statement
    loop = _loop(site)
    if loop is None or not isinstance(made, nodes.Call) or not _compiles(site, made):
        return None
    text = site.text(made)
    if "\n" in text or "\r" in text or not site.is_alone(statement):
        return None
    match statement:
        case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=value) if value is made:
            if not is_own(site, name) or _is_bound_otherwise(site, loop, statement, name):
                return None
            edits = [site.removal(statement)]
        case _:
            name = free_name(site, "jitted", "compiled", "jitted_function") or ""
            edits = [site.replace(made, name)]
    if not name or site.indent(loop) is None:
        return None
    edits.append(site.line_before(loop, f"{name} = {text}"))
    return make_fix("Jit it once, before the loop", edits, Safety.UNSAFE)


def _compiles(site: Site, call: nodes.Call) -> bool:
    """Whether a call is that of a transform of JAX, or of a framework, that compiles a function."""
    path = meaning(site, call.function)
    return path in (dotted.JIT, dotted.PMAP) or framework_transform(path) is not None


def _loop(site: Site) -> nodes.For | nodes.While | None:
    """The outermost loop around the site, within its function, that binds no name it reads."""
    function = own_function(site)
    if function is None and site.functions:
        return None
    start = site.way.index(function) + 1 if function is not None else 0
    needed, found = _needed(site), None
    for node in reversed(site.way[start:]):
        if isinstance(node, nodes.Lambda | nodes.Comprehension | nodes.ClassDefinition):
            return None
        if isinstance(node, nodes.For | nodes.While):
            if needed & (bound_by(node) | _changed_in(node)) or site.indent(node) is None:
                break
            found = node
    return found


def _needed(site: Site) -> frozenset[str]:
    """The names that what is jitted reads, also in the functions of the file that it is made of."""
    function = own_function(site)
    inner = () if function is None else function.body
    inside = {n.name: n for n in walk(*inner) if isinstance(n, nodes.FunctionDefinition)}
    needed: set[str] = set()
    pending = [*_free_names(site.node)]
    while pending:
        name = pending.pop()
        if name in needed:
            continue
        needed.add(name)
        place = find_definition(site.module, name)
        read = inside.get(name) or (None if place is None else place.node)
        if isinstance(read, nodes.FunctionDefinition):
            pending += (each for each in names_in(read) if reads_around(read, each))
    return frozenset(needed)


def _free_names(node: nodes.Node) -> frozenset[str]:
    """The names that stand in an expression, but for the parameters of functions in it."""
    own: set[int] = set()
    for function in walk(node):
        if isinstance(function, nodes.Lambda):
            taken = {parameter.name for parameter in function.parameters.items}
            inside = (each for each in walk(function.body) if isinstance(each, nodes.Name))
            own.update(id(each) for each in inside if each.identifier in taken)
    return frozenset(
        each.identifier
        for each in walk(node)
        if isinstance(each, nodes.Name) and id(each) not in own
    )


def _changed_in(loop: nodes.Node) -> frozenset[str]:
    """The names of the objects of which a loop sets items or attributes."""
    changed: set[str] = set()
    for node in walk(loop):
        targets: tuple[nodes.Expression, ...] = ()
        if isinstance(node, nodes.Assignment):
            targets = node.targets
        elif isinstance(node, nodes.AugmentedAssignment):
            targets = (node.target,)
        for target in targets:
            owner: nodes.Expression = target
            while isinstance(owner, nodes.Subscript | nodes.Attribute):
                owner = owner.value
            if isinstance(owner, nodes.Name):
                changed.add(owner.identifier)
    return frozenset(changed)


def _is_bound_otherwise(site: Site, loop: nodes.Node, statement: nodes.Node, name: str) -> bool:
    """Whether a loop binds a name elsewhere, or is nested where one iteration may not bind it."""
    nested = site.way[site.way.index(loop) + 1] is not statement
    return nested or any(
        node is not statement and name in bound_by(node)
        for node in walk(loop, into=False)
        if isinstance(node, nodes.Assignment | nodes.AugmentedAssignment | nodes.For)
        and node is not loop
    )
