"""Closed expressions: that they fail stands in the function itself, whoever calls it, and when."""

from collections.abc import Iterator

from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import find, look_up
from oakum_lint.domain.ranks import is_of_any_rank
from oakum_lint.domain.values import External
from oakum_lint.models.packages import UNCHANGING_PACKAGES
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

PARTS = (
    nodes.Attribute
    | nodes.BinaryOperation
    | nodes.Call
    | nodes.Comparison
    | nodes.Constant
    | nodes.Display
    | nodes.Keyword
    | nodes.Name
    | nodes.Slice
    | nodes.Starred
    | nodes.Subscript
    | nodes.UnaryOperation
)
"""What a closed expression may hold."""


def is_closed(machine: Machine, expression: nodes.Node, frame: Frame) -> bool:
    """Whether an expression is made of literals, names of libraries, variables that the running
    function assigns once, as closed expressions themselves, and one variable of which nothing is
    known: what fails for it fails for each value.
    """
    function = frame.called.function
    if function is None or not isinstance(function.definition, nodes.FunctionDefinition):
        return False
    assigned = _assigned_once(function.definition)
    pending = [expression]
    seen: set[str] = set()
    variables: set[str] = set()
    while pending:
        current = pending.pop()
        parts = list(walk((current,)))
        if not all(isinstance(part, PARTS) for part in parts):
            return False
        for name in {part.identifier for part in parts if isinstance(part, nodes.Name)} - seen:
            if current is expression and is_of_any_rank(look_up(machine, name, frame)):
                variables.add(name)
                continue
            seen.add(name)
            value = assigned.get(name)
            if value is not None:
                pending.append(value)
            elif name in assigned or not _is_library(machine, name, frame):
                return False
    return len(variables) < 2


def _is_library(machine: Machine, name: str, frame: Frame) -> bool:
    found = find(machine, name, frame)
    if found is None:
        return False
    scope, value = found
    if (scope, name) in machine.rebound:
        return False
    return isinstance(value, External) and value.path.partition(".")[0] in UNCHANGING_PACKAGES


def _assigned_once(definition: nodes.FunctionDefinition) -> dict[str, nodes.Expression | None]:
    """The variables of a function: what is assigned to each, or None where that is not one
    expression, or not the only one, or may get other items.
    """
    found: dict[str, nodes.Expression | None] = {}
    for node in walk((definition.parameters, *definition.body)):
        value = None
        if isinstance(node, nodes.Assignment) and isinstance(node.targets[0], nodes.Name):
            may_change = isinstance(node.value, nodes.Display) and node.value.kind != "tuple"
            value = None if may_change or len(node.targets) > 1 else node.value
        for name in _bound_by(node):
            found[name] = None if name in found else value
    return found


def _bound_by(node: nodes.Node) -> Iterator[str]:
    """The names that a piece of syntax binds, or changes what they hold."""
    targets: tuple[nodes.Node | None, ...] = ()
    match node:
        case nodes.Assignment(targets=targets) | nodes.Delete(targets=targets):
            pass
        case nodes.AnnotatedAssignment() | nodes.AugmentedAssignment() | nodes.NamedExpression():
            targets = (node.target,)
        case nodes.For() | nodes.ComprehensionFor() | nodes.WithItem():
            targets = (node.target,)
        case nodes.FunctionDefinition() | nodes.ClassDefinition() | nodes.Parameter():
            yield node.name
        case nodes.Handler() | nodes.CapturePattern() | nodes.StarPattern():
            yield node.name or ""
        case nodes.MappingPattern(rest=str(name)):
            yield name
        case nodes.ScopeDeclaration(names=names):
            yield from names
        case _:
            pass
    for part in walk(target for target in targets if target is not None):
        if isinstance(part, nodes.Name):
            yield part.identifier
