"""Default functions that each call makes, and passes as a static argument: functions are compared
by identity, so that each call compiles again.
"""

from collections.abc import Iterator

from oakum_lint.analyses.closed_world.sources import sources_in
from oakum_lint.analyses.recompilation.retrace_in_loop import Retracing
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import CompiledCall, Guest, Moments
from oakum_lint.domain.values import NONE
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


def _check_defaults(machine: Machine, call: CompiledCall) -> None:
    """Reports a static argument that stands for what was left out, and is made of nothing else."""
    frame, signature, static = call.frame, call.signature, call.static
    running = frame.called.function
    if frame.level or static is None or running is None or frame.scope.kind != "function":
        return
    definition = running.definition
    if isinstance(definition, nodes.Lambda) or definition.decorators:
        return  # a cache may keep what it makes
    passed: list[tuple[int | str, nodes.Node]] = list(enumerate(call.arguments.places))
    passed.extend(call.arguments.keyword_places.items())
    for name, place in passed:
        parameter = signature.parameter(name) if isinstance(name, int) else signature.by_name(name)
        if parameter is None or parameter.name not in static or not isinstance(place, nodes.Name):
            continue
        made = [*_defaults(definition, place.identifier)]
        if made and all(_is_closed(each, definition) for each in made):
            details = {"function": signature.name, "parameter": parameter.name, "default": True}
            machine.emit(Retracing, frame, place, NONE, place, made=True, **details)


def _defaults(definition: nodes.FunctionDefinition, name: str) -> Iterator[nodes.Lambda]:
    """The functions that a name stands for where a parameter that may be left out is."""
    optional = {
        parameter.name
        for parameter in definition.parameters.items
        if isinstance(parameter.default, nodes.Constant) and parameter.default.value is None
    }
    for node in walk(definition.body):
        if not isinstance(node, nodes.Assignment):
            continue
        if not any(isinstance(t, nodes.Name) and t.identifier == name for t in node.targets):
            continue
        match node.value:
            case nodes.Lambda() as made if name in optional:
                yield made
            case nodes.Conditional(body=body, orelse=orelse):
                yield from _beside(optional, body, orelse)
            case nodes.BooleanOperation(operator="or", operands=(first, last)):
                yield from _beside(optional, first, last)
            case _:
                pass


def _beside(
    optional: set[str], first: nodes.Expression, second: nodes.Expression
) -> Iterator[nodes.Lambda]:
    """The function beside a parameter that may be left out."""
    match first, second:
        case (nodes.Name(identifier=name), nodes.Lambda() as made) if name in optional:
            yield made
        case (nodes.Lambda() as made, nodes.Name(identifier=name)) if name in optional:
            yield made
        case _:
            pass


def _is_closed(made: nodes.Lambda, definition: nodes.FunctionDefinition) -> bool:
    """Whether a function reads nothing of the function that makes it: each call makes the same."""
    own = {parameter.name for parameter in made.parameters.items}
    sources = sources_in(definition.body, definition.parameters)
    around = {*sources.parameters, *sources.bound, *sources.functions}
    read = {part.identifier for part in walk((made.body,)) if isinstance(part, nodes.Name)}
    return not (read - own) & around


GUEST = Guest(
    "made_defaults", Moments(compiled_call=(_check_defaults,)), after=("retrace_in_loop",)
)
