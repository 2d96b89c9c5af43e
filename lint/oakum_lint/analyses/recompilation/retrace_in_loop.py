"""Compiled functions that a loop calls with something new to compile for in each iteration."""

from collections.abc import Mapping, Sequence

from oakum.values.records import dataclass
from oakum_lint.analyses.closed_world.sources import is_dotted
from oakum_lint.analyses.recompilation.loop_varying import bound_in_loop, varies
from oakum_lint.domain.callables import FunctionValue, Transformed
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, Loop
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of
from oakum_lint.domain.moments import CompiledCall, Guest, Moments
from oakum_lint.domain.values import NONE, Constant, External, HeapObject, Scalar
from oakum_lint.models.dotted import PARTIAL
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own
from oakum_lint.text.names import only_grows

MAX_FUNCTIONS = 16
"""Through how many functions a number is followed."""


@dataclass(frozen=True, slots=True)
class Retracing(Event):
    """A loop calls a compiled function with something new to compile for in each iteration: another
    value of the static `parameter`, or with none an array of another shape. Or each call of a
    function does, with a new `default`.
    """

    function: str
    parameter: str
    made: bool = False
    """Whether the value is a function that the iteration makes."""
    default: bool = False
    """Whether it is what a call makes where nothing was passed."""
    number: bool = False
    """Whether it is static as it is a number of Python (`equinox.filter_jit`)."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """A parameter that a number is bound to."""

    definition: nodes.FunctionDefinition | nodes.Lambda
    name: str
    frame: Frame


def _check_retracing(machine: Machine, call: CompiledCall) -> None:
    """Reports an argument that makes a loop compile the function again in each iteration."""
    signature, arguments, static = call.signature, call.arguments, call.static
    frame, node = call.frame, call.node
    if not frame.flow.loops or frame.level or static is None or signature.function is None:
        return
    loop = frame.flow.loops[-1]
    if not _is_in(node, loop):
        return
    elsewhere = call.function.site.unit is not signature.function.unit
    passed: list[tuple[int | str, nodes.Node]] = list(enumerate(arguments.places))
    passed.extend(arguments.keyword_places.items())
    for name, place in passed:
        parameter = signature.parameter(name) if isinstance(name, int) else signature.by_name(name)
        is_static = parameter is not None and parameter.name in static
        if parameter is not None and is_static and _is_made(machine, place, node, loop, frame):
            # Functions are compared by identity: each iteration makes another one.
            if len(frame.guards) == loop.guards and not _tries(loop, frame):
                _report(machine, frame, place, signature.name, parameter.name, made=True)
        elif parameter is not None and not elsewhere:
            _check_argument(machine, call, loop, name, parameter.name, place)


def _is_made(
    machine: Machine, place: nodes.Node, call: nodes.Node, loop: Loop, frame: Frame
) -> bool:
    """Whether an argument is a function that each iteration makes: a lambda, a `partial`, or one
    that is defined in the loop.
    """
    if isinstance(place, nodes.Name):
        held = machine.read(frame.scope, place.identifier)
        if isinstance(held, FunctionValue) and held.unit is frame.unit:
            return _is_repeated(held.definition, call, loop, frame)
        place = bound_in_loop(machine, place.identifier, loop, frame) or place
        if not _is_repeated(place, call, loop, frame):
            return False
    match place:
        case nodes.Lambda():
            return True
        case nodes.Call(function=nodes.Name() | nodes.Attribute() as function):
            called = machine.look(function, frame)
            return isinstance(called, External) and called.path == PARTIAL
        case _:
            return False


def _is_repeated(made: nodes.Node, call: nodes.Node, loop: Loop, frame: Frame) -> bool:
    """Whether each iteration that makes a call makes a function for it: what the loop goes over is
    made once, and so may be what stands behind a test of its own, `if scale is None:`.
    """
    if not _is_in(made, loop) or made.start < loop.repeated_from:
        return False
    return not any(
        isinstance(node, nodes.If)
        and _is_in(node, loop)
        and node.start <= made.start < node.end
        and not node.start <= call.start < node.end
        for node in walk(frame.unit.body)
    )


def _tries(loop: Loop, frame: Frame) -> bool:
    """Whether a loop goes on until something succeeds: a `while` that is left by `break`."""
    return any(
        isinstance(node, nodes.While)
        and (node.start, node.end) == loop.span
        and any(isinstance(part, nodes.Break) for part in walk_own(node.body))
        for node in walk(frame.unit.body)
    )


def _is_in(node: nodes.Node, loop: Loop) -> bool:
    return loop.span[0] <= node.start and node.end <= loop.span[1]


def _check_argument(
    machine: Machine,
    call: CompiledCall,
    loop: Loop,
    passed: int | str,
    parameter: str,
    place: nodes.Node,
) -> None:
    """Reports an argument that is another value, or of another shape, in each iteration."""
    signature, frame = call.signature, call.frame
    if signature.function is None or call.static is None:
        return
    kept = _is_kept(call, passed, loop, place)
    if passed not in call.static and not kept:
        if _has_varying_shape(machine, place, loop, frame):
            _report(machine, frame, place, signature.name, "")
    elif varies(machine, place, loop, frame) and not _may_be_size(
        machine, signature.function, parameter
    ):
        _report(machine, frame, place, signature.name, parameter, number=kept)


def _is_kept(call: CompiledCall, passed: int | str, loop: Loop, place: nodes.Node) -> bool:
    """Whether an argument is a number of Python that the program gets as such
    (`equinox.filter_jit`): there is one program for each. A counter is one.
    """
    if call.function.transform.scope != "filter":
        return False
    if isinstance(place, nodes.Name) and place.identifier in loop.counters:
        return True
    position, name = (passed, "") if isinstance(passed, int) else (-1, passed)
    return isinstance(call.arguments.get(position, name), Constant | Scalar)


def _report(
    machine: Machine,
    frame: Frame,
    place: nodes.Node,
    function: str,
    parameter: str,
    *,
    made: bool = False,
    number: bool = False,
) -> None:
    details = {"function": function, "parameter": parameter, "made": made, "number": number}
    machine.emit(Retracing, frame, place, NONE, place, **details)


def _may_be_size(machine: Machine, function: FunctionValue, parameter: str) -> bool:
    """Whether a parameter may choose a shape, in a function or in one that this calls with it: it
    bounds a slice, or what is called with it alone is not known to compute with it.
    """
    pending, seen = [_Reached(function.definition, parameter, _inside(function))], 0
    while pending and seen < MAX_FUNCTIONS:
        each, seen = pending.pop(), seen + 1
        body = _body(each.definition)
        local = {
            part.name: part for part in walk(body) if isinstance(part, nodes.FunctionDefinition)
        }
        for node in walk(body):
            match node:
                case nodes.Slice(lower=lower, upper=upper):
                    parts: tuple[nodes.Node | None, ...] = (lower, upper)
                    if any(part is not None and each.name in _names(part) for part in parts):
                        return True
                case nodes.Call(function=nodes.Name(identifier="range")):
                    pass
                case nodes.Call():
                    reached = _handed_on(machine, node, each, local)
                    if reached is None:
                        return True
                    pending += reached
                case _:
                    pass
    return bool(pending)


def _inside(function: FunctionValue) -> Frame:
    return Frame(function.scope, function.unit, function.module, None)


def _body(definition: nodes.FunctionDefinition | nodes.Lambda) -> tuple[nodes.Node, ...]:
    is_function = isinstance(definition, nodes.FunctionDefinition)
    return definition.body if is_function else (definition.body,)


def _handed_on(
    machine: Machine,
    call: nodes.Call,
    each: _Reached,
    local: Mapping[str, nodes.FunctionDefinition],
) -> list[_Reached] | None:
    """The parameters that a call binds to what is made of a name alone; None where they may be
    sizes.
    """
    given: list[int | str] = [
        place for place, part in enumerate(call.arguments) if _is_made_of(part, each.name)
    ]
    given += [part.name or "" for part in call.keywords if _is_made_of(part, each.name)]
    if not given:
        return []
    if isinstance(call.function, nodes.Name) and call.function.identifier in local:
        return _reached(local[call.function.identifier], given, each.frame)
    called = machine.look(call.function, each.frame) if is_dotted(call.function) else None
    while isinstance(called, Transformed):
        called = called.function
    match called:
        case FunctionValue(definition=definition):
            return _reached(definition, given, _inside(called))
        case External(path) if (facts := machine.public(path)) is not None:
            bound = _bound(given, [*facts.signature.parameters])
            fixed = facts.static.keys() | facts.needs_concrete.keys()
            return None if bound is None or fixed & {*bound} else []
        case _:
            return None


def _reached(
    definition: nodes.FunctionDefinition | nodes.Lambda, given: Sequence[int | str], frame: Frame
) -> list[_Reached] | None:
    bound = _bound(given, [each.name for each in definition.parameters.items])
    return None if bound is None else [_Reached(definition, name, frame) for name in bound]


def _bound(given: Sequence[int | str], parameters: Sequence[str]) -> list[str] | None:
    """The parameters that arguments are bound to, by position or name; None: some are not seen."""
    bound: list[str] = []
    for each in given:
        if isinstance(each, int):
            bound += parameters[each : each + 1]
        elif each in parameters:
            bound.append(each)
    return bound if len(bound) == len(given) else None


def _is_made_of(argument: nodes.Node, parameter: str) -> bool:
    """Whether an argument, or a part of a tuple that is one, is made of the parameter alone."""
    if isinstance(argument, nodes.Keyword):
        argument = argument.value
    parts = argument.elements if isinstance(argument, nodes.Display) else (argument,)
    return any(_names(part) == {parameter} for part in parts)


def _names(node: nodes.Node) -> set[str]:
    return {part.identifier for part in walk((node,)) if isinstance(part, nodes.Name)}


def _has_varying_shape(machine: Machine, place: nodes.Node, loop: Loop, frame: Frame) -> bool:
    """Whether an argument has another length in each iteration: a slice that the counter bounds on
    one side, also of an axis behind the first, or an array of a list that grows.
    """
    if isinstance(place, nodes.Name) and loop.counters:
        place = bound_in_loop(machine, place.identifier, loop, frame) or place
    if isinstance(place, nodes.Call) and len(place.arguments) == 1 and not place.keywords:
        inner = place.arguments[0]
        if isinstance(inner, nodes.Name):
            return _grows(machine, inner, loop, frame)
        place = inner
    match place:
        case nodes.Subscript(index=nodes.Display(elements=parts)):
            return any(_is_of_varying_length(part, loop) for part in parts)
        case nodes.Subscript(index=part):
            return _is_of_varying_length(part, loop)
        case _:
            return False


def _is_of_varying_length(index: nodes.Node, loop: Loop) -> bool:
    """Whether an index is a slice that the counter bounds on one side, and nothing on the other."""
    match index:
        case nodes.Slice(lower=lower, upper=upper, step=None):
            bounds = [part is not None and _names(part) & loop.counters for part in (lower, upper)]
            return bool(bounds[0]) != bool(bounds[1]) and (lower is None or upper is None)
        case _:
            return False


def _grows(machine: Machine, name: nodes.Name, loop: Loop, frame: Frame) -> bool:
    """Whether a name holds a list to which each iteration of the loop adds."""
    held = machine.evaluate(name, frame)
    if not isinstance(held, HeapObject) or held.kind != "list":
        return False
    if content_of(machine, held).elements is not None and not loop.counters:
        return False
    text = frame.unit.part(*loop.span)
    return only_grows(text, name.identifier)


GUEST = Guest("retrace_in_loop", Moments(compiled_call=(_check_retracing,)))
