"""Calls of `custom_jvp`, `custom_vjp` and `custom_gradient` functions, and of their derivative
rules.
"""

from oakum.values.records import dataclass, field, replace
from oakum_lint.arrays.array_results import origin_of
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.arrays.trace_boundary import Lifter
from oakum_lint.arrays.zero_derivatives import with_derivative
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import Site, Transformed
from oakum_lint.domain.frames import Frame, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Array, Tree, TupleValue, Value, is_tracer
from oakum_lint.jax.staging import lower_result
from oakum_lint.jax.static_arguments import positions_in
from oakum_lint.models.habits import ARRAY_ANNOTATION
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes


@dataclass(slots=True)
class DerivativeRules:
    """The rules of custom_jvp and custom_vjp functions."""

    rules: dict[tuple[Site, str], Value] = field(default_factory=dict[tuple[Site, str], Value])
    """By where those were made, and what the rule is."""


def call_custom(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """The function itself runs in the caller's trace; its derivative rules do when the caller is
    differentiated.
    """
    if function.name.endswith("custom_vjp") and _check_tracers(
        machine, function, arguments, frame, node
    ):
        return UNKNOWN
    staged = frame.staged_level > 0 and function.transform.scope == "all"
    passed = _staged(machine, function, arguments, frame, node) if staged else arguments
    within = _undifferentiated(frame)
    result = machine.call(function.function, passed, within, node)
    pullback: Value = UNKNOWN
    if function.name.endswith(".custom_gradient"):
        result, pullback = _parts(result)
    if staged:
        # The call is staged as a whole, also where nothing in it is traced.
        result = lower_result(machine, result, arguments, frame, node)
    if not any(trace.differentiates for trace in traces(frame.trace)):
        return result
    # Its derivative is what its rules say, whatever the function itself does.
    result = map_leaves(machine, result, with_derivative, frame.level, frame, node)
    machine.call(pullback, Arguments((result,)), frame, node)
    numbers = positions_in(function.option("nondiff_argnums"))
    forward = machine.state_of(DerivativeRules).rules.get((function.site, "fwd"))
    if forward is not None:
        outputs = machine.call(forward, arguments, within, node)
        backward = machine.state_of(DerivativeRules).rules.get((function.site, "bwd"))
        if backward is not None and numbers is not None:
            _call_backward(machine, numbers, backward, outputs, result, arguments, frame, node)
    rule = machine.state_of(DerivativeRules).rules.get((function.site, "jvp"))
    if rule is None or numbers is None:
        return result
    if not machine.running.of_definition(id(signature_of(machine, rule).function)):
        passed = arguments.positional
        static = tuple(passed[n] if n < len(passed) else UNKNOWN for n in numbers)
        pair = TupleValue(tuple(v for n, v in enumerate(passed) if n not in numbers))
        machine.call(rule, Arguments((*static, pair, pair)), frame, node)
    return result


def _undifferentiated(frame: Frame) -> Frame:
    """The frame from which a function is called whose own derivative nobody takes."""
    trace = frame.trace
    if trace is None or not trace.differentiated:
        return frame
    return frame.beneath(replace(trace, differentiated=0))


def _staged(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Arguments:
    """The arguments as the function gets them where the call is staged: all that a derivative may
    be taken by are tracers.
    """
    numbers = positions_in(function.option("nondiff_argnums"))
    if numbers is None or not function.name.endswith(("custom_jvp", "custom_vjp")):
        return arguments
    lifter = Lifter(
        frame.staged_level, abstract=True, origin=origin_of(node, frame), keeps_unknown=True
    )

    def lift(value: Value) -> Value:
        return value if is_tracer(value) else lifter(value)

    positional = tuple(
        value if place in numbers else map_leaves(machine, value, lift, frame.level, frame, node)
        for place, value in enumerate(arguments.positional)
    )
    return replace(arguments, positional=positional)


def _parts(result: Value) -> tuple[Value, Value]:
    """Returns the two results of a function under `custom_gradient`: its own, and how gradients
    come back.
    """
    if isinstance(result, TupleValue) and result.elements and len(result.elements) == 2:
        return result.elements[0], result.elements[1]
    return UNKNOWN, UNKNOWN


def _check_tracers(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> bool:
    """Reports a tracer passed for a parameter by which no derivative is taken, unless it was
    reported at the parameter; whether there is one.
    """
    signature = signature_of(machine, function.function)
    for number in positions_in(function.option("nondiff_argnums")) or ():
        value, parameter = arguments.get(number), signature.parameter(number)
        if not isinstance(value, Array | Tree) or not is_tracer(value) or parameter is None:
            continue
        if array_annotation(signature, number) is None:
            place = arguments.place(number, parameter.name, node)
            machine.emit(
                events.ArrayNondiffArgument,
                frame,
                place,
                value,
                function=signature.name,
                parameter=parameter.name,
                annotation="",
            )
        return True
    return False


def array_annotation(signature: Signature, number: int) -> str | None:
    """The annotation of a parameter that it says is an array."""
    parameter = signature.parameter(number)
    if parameter is None or parameter.annotation is None or signature.function is None:
        return None
    place = parameter.annotation
    annotation = signature.function.unit.text[place.start : place.end]
    return annotation if ARRAY_ANNOTATION.match(annotation.strip("\"'")) else None


def _call_backward(
    machine: Machine,
    numbers: tuple[int, ...],
    backward: Value,
    outputs: Value,
    result: Value,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    residuals = _parts(outputs)[1]
    static = [arguments.get(n) or UNKNOWN for n in numbers]
    machine.call(backward, Arguments((*static, residuals, result)), frame, node)
