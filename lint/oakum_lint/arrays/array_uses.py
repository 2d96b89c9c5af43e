"""Where a function itself uses a parameter as an array, as far as its text tells."""

from collections.abc import Callable

from oakum.values.facts import Facts
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import External
from oakum_lint.models.array_parameters import TAKES_ARRAYS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own


def array_use(
    machine: Machine, function: FunctionValue, parameter: nodes.Parameter
) -> nodes.Node | None:
    """Finds the first call by which a function passes a parameter, as it got it, to what computes
    with arrays, and hardly with a number in their place.
    """
    return _first_call(machine, function, parameter, _takes_arrays)


def key_use(
    machine: Machine, function: FunctionValue, parameter: nodes.Parameter
) -> nodes.Node | None:
    """Finds the first call by which a function draws with a parameter, as it got it."""
    return _first_call(machine, function, parameter, _takes_key)


def _first_call(
    machine: Machine,
    function: FunctionValue,
    parameter: nodes.Parameter,
    takes: Callable[[Facts], bool],
) -> nodes.Node | None:
    definition, name = function.definition, parameter.name
    if not isinstance(definition, nodes.FunctionDefinition):
        return None
    inside = [*walk_own(definition.body)]
    calls = [node for node in inside if isinstance(node, nodes.Call) and _passes(node, name)]
    if not calls:
        return None
    last = min((_set_at(node, name, definition.end) for node in inside), default=definition.end)
    outside = Frame(function.scope, function.unit, function.module, None)
    for node in sorted(calls, key=lambda node: node.start):
        declared = _declared(machine, node, outside) if node.start < last else None
        if declared is not None and takes(declared):
            return node
    return None


def _passes(node: nodes.Call, name: str) -> bool:
    match node.arguments:
        case (nodes.Name(identifier=passed), *_):
            return passed == name
        case _:
            return False


def _set_at(node: nodes.Node, name: str, never: int) -> int:
    """From where on a name has another value by a statement, or is another variable within an
    expression; `never` where it is not.
    """
    match node:
        case nodes.Assignment(targets=targets, end=at):
            pass
        case nodes.For(target=target) | nodes.NamedExpression(target=target):
            targets, at = (target,), target.end
        case nodes.WithItem(target=nodes.Node() as target):
            targets, at = (target,), target.end
        case nodes.Comprehension(clauses=clauses):
            targets, at = tuple(clause.target for clause in clauses), node.start
        case nodes.Lambda(parameters=parameters):
            return node.start if any(each.name == name for each in parameters.items) else never
        case _:
            return never
    names = (part for part in walk(targets) if isinstance(part, nodes.Name))
    return at if any(part.identifier == name for part in names) else never


def _declared(machine: Machine, node: nodes.Call, outside: Frame) -> Facts | None:
    """What a call is known to call."""
    match machine.look(node.function, outside):
        case External(path):
            return machine.public(path)
        case _:
            return None


def _takes_arrays(declared: Facts) -> bool:
    return declared.name in TAKES_ARRAYS


def _takes_key(declared: Facts) -> bool:
    return next(iter(declared.signature.parameters), None) in declared.consumes_keys
