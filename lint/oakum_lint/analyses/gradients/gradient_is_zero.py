"""Whether the gradient of a function is zero on every path."""

from oakum.values.records import dataclass
from oakum_lint.arrays.zero_derivatives import CUT
from oakum_lint.domain.callables import BoundMethod, FunctionValue, Partial, Transformed
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import NONE, Array, Constant, Place, TupleValue, Value
from oakum_lint.models.transforms import BY_REAL_INPUTS
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import returns_of, walk


@dataclass(frozen=True, slots=True)
class ZeroGradient(Event):
    """The whole result of a differentiated function passes an operation whose derivative is zero.
    `function` is differentiated by `transform`; the operand is the operation. Or nothing depends on
    the arguments by which it is, which are `independent`, and the operand is the call.
    """

    transform: str
    function: str
    independent: tuple[str, ...] = ()


def _check_flatness(
    machine: Machine,
    function: Transformed,
    _numbers: tuple[int, ...] | None,
    result: Value,
    frame: Frame,
    _node: nodes.Node,
) -> None:
    """Reports a differentiated function whose result has a derivative of zero."""
    if not function.name.endswith("grad"):
        return
    result = differentiated_part(function, result)
    cut = CUT.of(result)
    if cut is None:
        return
    place = Frame(frame.scope, cut.unit, cut.module, None, caller=frame, guards=frame.guards)
    machine.emit(
        ZeroGradient,
        place,
        cut.node,
        NONE,
        transform=function.name.rpartition(".")[2],
        function=signature_of(machine, function.function).name,
    )


def differentiated_part(function: Transformed, result: Value) -> Value:
    """Returns the part of a function's result that is differentiated."""
    if function.option("has_aux") != Constant(True):
        return result
    pair = result.elements if isinstance(result, TupleValue) else None
    return pair[0] if pair else NONE


def _check_dependence(
    machine: Machine,
    function: Transformed,
    numbers: tuple[int, ...] | None,
    result: Value,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a differentiated function whose result depends on none of the arguments by which it
    is differentiated.
    """
    if function.name not in BY_REAL_INPUTS or not numbers or min(numbers) < 0:
        return
    definition = _definition(function.function)
    signature = signature_of(machine, function.function)
    parameters = [signature.parameter(number) for number in numbers]
    names = [item.name for item in parameters if item is not None and item.kind == "positional"]
    hidden = any(name.startswith("_") for name in names)
    if definition is None or not _returns(definition) or len(names) < len(numbers) or hidden:
        return
    result = differentiated_part(function, result)
    if isinstance(result, Constant) or (isinstance(result, Array) and result.place is Place.HOST):
        # A plain number was meant to depend on nothing.
        return
    if not _names(definition).isdisjoint({*names, "locals", "super"}):
        return
    if _is_handed_in(function, signature.name):
        return
    machine.emit(
        ZeroGradient,
        frame,
        node,
        NONE,
        transform=function.name.rpartition(".")[2],
        function=signature.name,
        independent=tuple(names),
    )


def _is_handed_in(function: Transformed, name: str) -> bool:
    """Whether the code that differentiates a function gets it as an argument, or holds it under a
    name of its own, as a solver does: which arguments the function depends on is not said there.
    """
    site = function.site
    parameters, given = set[str](), list[nodes.Expression]()
    for node in walk(site.unit.body):
        if not node.start <= site.start < site.end <= node.end:
            continue
        match node:
            case nodes.FunctionDefinition() | nodes.Lambda():
                parameters.update(item.name for item in node.parameters.items)
            case nodes.Call(arguments=(first, *_)) if node.end == site.end:
                given.append(first)
            case _:
                pass
    match given[-1:]:
        case [nodes.Name(identifier=identifier)]:
            return identifier in parameters
        case [nodes.Attribute(attribute=attribute)]:
            return attribute != name
        case _:
            return False


def _definition(function: Value) -> nodes.FunctionDefinition | nodes.Lambda | None:
    """The code of a function whose derivative is that of its code."""
    while True:
        match function:
            case FunctionValue(definition=definition):
                return definition
            case Partial(function=inner) | BoundMethod(function=inner):
                function = inner
            case Transformed(function=inner) if function.transform.facts.kind == "jit":
                function = inner
            case _:
                return None


def _returns(definition: nodes.FunctionDefinition | nodes.Lambda) -> bool:
    """Whether a function returns something: one that does not is there to be overridden."""
    if isinstance(definition, nodes.Lambda):
        return True
    return any(node.value is not None for node in returns_of(definition.body))


def _names(definition: nodes.FunctionDefinition | nodes.Lambda) -> set[str]:
    """The names in the code of a function."""
    body = definition.body if isinstance(definition.body, tuple) else (definition.body,)
    return {node.identifier for node in walk(body) if isinstance(node, nodes.Name)}


GUEST = Guest("gradient_is_zero", Moments(differentiated=(_check_flatness, _check_dependence)))
