"""Calls of `custom_jvp`, `custom_vjp` and `custom_gradient` functions, and of their derivative
rules.
"""

from oakum.dtypes import Kind
from oakum.values.records import dataclass, field, replace
from oakum_lint.arrays.array_results import origin_of
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.arrays.trace_boundary import Lifter
from oakum_lint.arrays.zero_derivatives import differentiated_level, with_derivative
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import FunctionValue, Site, Transformed
from oakum_lint.domain.facets import anonymous, lowered
from oakum_lint.domain.frames import Frame, begin_trace, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Value,
    is_tracer,
)
from oakum_lint.jax.non_pytree_values import foreign_leaf
from oakum_lint.jax.results.rules import check_pair, check_taken, run_backward, takes
from oakum_lint.jax.staging import lower_result
from oakum_lint.jax.static_arguments import positions_in
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.models.habits import ARRAY_ANNOTATION
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


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
    if not function.name.endswith(".custom_gradient"):
        arguments = _by_position(function, arguments)
    if _check_tracers(machine, function, arguments, frame, node):
        return UNKNOWN
    found = machine.state_of(DerivativeRules).rules
    forward, rule = found.get((function.site, "fwd")), found.get((function.site, "jvp"))
    # A rule that calls the function passes it what no tracer of this derivative reaches.
    is_within_rule = any(_runs(machine, each) for each in (forward, rule) if each is not None)
    primals = None if is_within_rule else _announced(machine, function, arguments, frame, node)
    if primals is not None and not function.name.endswith(".custom_gradient"):
        made = _call_rule(machine, function, arguments, primals, frame, node)
        if made is not None:
            lifter = Lifter(frame.level, abstract=False, origin=origin_of(node, frame))
            return map_leaves(machine, made, lifter, frame.level, frame, node)
    if is_within_rule or not any(trace.differentiates for trace in traces(frame.trace)):
        return _call_function(machine, function, arguments, frame, node)
    results: list[Value] = []

    def run_function() -> bool:
        results.append(_call_function(machine, function, arguments, frame, node))
        return True

    def run_forward() -> bool:
        if forward is not None:
            _call_forward(machine, function, forward, arguments, frame, node)
        return True

    # One of the two is what runs in the end: both may draw from one key.
    machine.store.merge([machine.run_path(run)[1] for run in (run_function, run_forward)])
    numbers = positions_in(function.option("nondiff_argnums"))
    if rule is not None and numbers is not None:
        apart = primals or _undepending(machine, arguments, frame, node)
        _call_tangents(machine, rule, numbers, arguments, apart, frame, node)
    return results[0]


def _announced(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Arguments | None:
    """Announces a call by no derivative rule. Returns its primals, as far as they are known."""
    for hears in machine.moments.custom_called:
        hears(machine, function, arguments, frame, node)
    return _primals(machine, arguments, frame, node)


def _by_position(function: Transformed, arguments: Arguments) -> Arguments:
    """The arguments as rules get them: all by position, also those that a default fills."""
    called = function.function
    if not isinstance(called, FunctionValue) or not arguments.complete:
        return arguments
    items = called.definition.parameters.items
    passed, keywords = [*arguments.positional], dict(arguments.keywords)
    places = [*arguments.places]
    for parameter in items[len(passed) :]:
        name = parameter.name
        value = keywords.pop(name, called.defaults.get(name))
        if parameter.kind not in ("positional_only", "positional") or value is None:
            return arguments
        passed.append(value)
        if places:
            places.append(arguments.keyword_places.get(name, places[0]))
    if keywords:
        return arguments
    return replace(
        arguments, positional=tuple(passed), keywords={}, places=tuple(places), keyword_places={}
    )


def _call_function(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls the function itself, and how gradients come back of one under `custom_gradient`."""
    staged = frame.staged_level > 0 and function.transform.scope == "all"
    passed = _staged(machine, function, arguments, frame, node) if staged else arguments
    result = machine.call(function.function, passed, _undifferentiated(frame), node)
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
    return result


def _call_forward(
    machine: Machine,
    function: Transformed,
    forward: Value,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Calls both rules of a custom_vjp function, one with what the other keeps."""
    outputs = _call_keeping(machine, function, forward, arguments, frame, node)
    backward = machine.state_of(DerivativeRules).rules.get((function.site, "bwd"))
    numbers = positions_in(function.option("nondiff_argnums"))
    if backward is None or numbers is None:
        return
    made = _parts(outputs)[0]
    if frame.staged_level > 0 and function.transform.scope == "all":
        made = lower_result(machine, made, arguments, frame, node)
    _call_backward(machine, numbers, backward, outputs, made, arguments, frame, node)


def _call_keeping(
    machine: Machine,
    function: Transformed,
    forward: Value,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls the rule of a custom_vjp function that returns what it keeps for the other one beside
    the result: arrays, numbers and containers of these.
    """
    given = len(arguments.positional)
    if takes(machine, function.function, given) and check_taken(
        machine, "forward", forward, given, frame, node
    ):
        return UNKNOWN
    outputs = machine.call(forward, arguments, _undifferentiated(frame), node)
    check_pair(machine, "forward", forward, outputs, frame, node)
    found = foreign_leaf(machine, _parts(outputs)[1], frame, node)
    if found is not None:
        name, (leaf, what) = signature_of(machine, forward).name, found
        machine.emit(events.ForeignResidual, frame, node, leaf, function=name, what=what)
    return outputs


def _runs(machine: Machine, rule: Value) -> bool:
    function = signature_of(machine, rule).function
    return function is not None and machine.running.of_definition(id(function.definition)) > 0


def _call_rule(
    machine: Machine,
    function: Transformed,
    arguments: Arguments,
    primals: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value | None:
    """Returns the result of a call under an eager derivative: its rule takes the place of the
    function, whose code does not run. None where there is no rule.
    """
    rules = machine.state_of(DerivativeRules).rules
    numbers = positions_in(function.option("nondiff_argnums"))
    forward, rule = rules.get((function.site, "fwd")), rules.get((function.site, "jvp"))
    if numbers is None:
        return None
    if forward is None:
        if rule is None:
            return None
        return _parts(_call_tangents(machine, rule, numbers, arguments, primals, frame, node))[0]
    outputs = _call_keeping(machine, function, forward, primals, frame, node)
    made = _parts(outputs)[0]
    backward = rules.get((function.site, "bwd"))
    if backward is not None:
        _call_backward(machine, numbers, backward, outputs, made, primals, frame, node)
    return made


def _call_tangents(
    machine: Machine,
    rule: Value,
    numbers: tuple[int, ...],
    arguments: Arguments,
    primals: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls the rule of a custom_jvp function, with tangents that are like its arguments."""
    known = primals.positional
    static = tuple(known[n] if n < len(known) else UNKNOWN for n in numbers)
    inside, tangents = _tangents(machine, arguments, frame, node)
    pairs = (
        TupleValue(tuple(value for n, value in enumerate(values) if n not in numbers))
        for values in (known, tangents)
    )
    passed = (*static, *pairs)
    if check_taken(machine, "tangent", rule, len(passed), frame, node):
        return UNKNOWN
    result = machine.call(rule, Arguments(passed), inside, node)
    check_pair(machine, "tangent", rule, result, frame, node)
    return result


def _tangents(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> tuple[Frame, tuple[Value, ...]]:
    """Where a rule runs, and the tangents that it gets: where a derivative goes back through the
    program they have no values, and what is computed of them is staged.
    """
    trace = frame.trace
    if trace is None or not trace.differentiates or trace.reversed != frame.level:
        return frame, arguments.positional
    entry = begin_trace(
        frame, trace.label, node, site=trace.site, staged=False, abstract=True, kind=trace.kind
    )
    lifter = Lifter(entry.trace.level, abstract=True, origin=origin_of(node, frame))

    def stage(value: Value) -> Value:
        dtype = value.aval.dtype if isinstance(value, Array) else None
        # Of what has no derivative it is of the dtype float0.
        return UNKNOWN if dtype is not None and dtype.kind in PLAIN_KINDS else lifter(value)

    tangents = (
        map_leaves(machine, value, stage, frame.level, frame, node)
        for value in arguments.positional
    )
    return entry.frame, tuple(tangents)


def _undepending(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Arguments:
    """The arguments as the primals of a rule: by these no derivative is taken, only by tangents."""
    level = differentiated_level(frame)

    def put_apart(value: Value) -> Value:
        return replace(value, apart=level) if isinstance(value, Array) else value

    positional = tuple(
        map_leaves(machine, value, put_apart, frame.level, frame, node)
        for value in arguments.positional
    )
    return replace(arguments, positional=positional)


def _primals(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Arguments | None:
    """The arguments as a derivative rule gets them where the call is differentiated eagerly: what
    the tracers of the innermost trace stand for. None where it is not, or that is not known.
    """
    trace = frame.trace
    if trace is None or not trace.differentiates or frame.staged_level:
        return None
    seen = False

    def lower(value: Value) -> Value:
        nonlocal seen
        if not is_tracer(value) or not isinstance(value, Array | Tree):
            return value
        if value.level != frame.level or value.place is not Place.CONCRETE:
            return value
        seen = True
        if isinstance(value, Tree):
            return UNKNOWN
        below = value.beneath
        if below is None:
            array = Array(value.aval, Place.DEVICE)
            dtype = value.aval.dtype
            if value.aval.weak_type is False or value.aval.shape not in (None, ()):
                return array
            # A number of Python is passed on as it is.
            number = Scalar("complex" if dtype and dtype.kind is Kind.COMPLEX else "float")
            return Choice((number, array))
        facets = lowered(value, below.level, mapped=False, derivative=False)
        return replace(below, aval=value.aval, facets=facets)

    positional = tuple(
        map_leaves(machine, value, lower, frame.level, frame, node)
        for value in arguments.positional
    )
    keywords = {
        name: map_leaves(machine, value, lower, frame.level, frame, node)
        for name, value in arguments.keywords.items()
    }
    return replace(arguments, positional=positional, keywords=keywords) if seen else None


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
    reported at the parameter; whether it is refused. One of `custom_jvp` is kept as it is until the
    rule runs: what the rule makes of it fails if its trace has ended then.
    """
    is_forward = function.name.endswith(".custom_jvp")
    if not is_forward and not function.name.endswith(".custom_vjp"):
        return False
    rule = machine.state_of(DerivativeRules).rules.get((function.site, "jvp"))
    if is_forward and (rule is None or _runs(machine, rule)):
        return False
    signature = signature_of(machine, function.function)
    for place, number in enumerate(positions_in(function.option("nondiff_argnums")) or ()):
        value, parameter = arguments.get(number), signature.parameter(number)
        if not isinstance(value, Array | Tree) or not is_tracer(value) or parameter is None:
            continue
        if rule is not None and not (_outlived(value, frame) and _uses(machine, rule, place)):
            continue
        if is_forward or array_annotation(signature, number) is None:
            machine.emit(
                events.ArrayNondiffArgument,
                frame,
                arguments.place(number, parameter.name, node),
                value,
                function=signature.name,
                parameter=parameter.name,
                annotation="",
                is_forward=is_forward,
            )
        return not is_forward
    return False


def _outlived(tracer: Array | Tree, frame: Frame) -> bool:
    """Whether the trace of a tracer has ended when the derivative of what runs in a frame is taken:
    a program that is differentiated only after it was made. Nobody differentiates what a function
    with a rule of its own does.
    """
    if frame.trace is None or not frame.trace.differentiated:
        return False
    staged = 0
    for trace in traces(frame.trace):
        if trace.differentiates:
            return 0 < staged <= tracer.level
        if trace.staged:
            staged = trace.level
    return False


def _uses(machine: Machine, rule: Value, place: int) -> bool:
    """Whether a rule names the parameter at a place."""
    signature = signature_of(machine, rule)
    parameter = signature.parameter(place)
    if signature.function is None or parameter is None:
        return False
    return any(
        isinstance(node, nodes.Name) and node.identifier == parameter.name
        for node in walk((signature.function.definition,))
    )


def array_annotation(signature: Signature, number: int) -> str | None:
    """The annotation of a parameter that it says is an array."""
    parameter = signature.parameter(number)
    if parameter is None or parameter.annotation is None or signature.function is None:
        return None
    place = parameter.annotation
    annotation = signature.function.unit.part(place.start, place.end)
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
    # What a rule draws with a key that was kept is what was drawn before, computed once more.
    residuals = map_leaves(machine, _parts(outputs)[1], _without_identity, frame.level, frame, node)
    static = [arguments.get(n) or UNKNOWN for n in numbers]
    passed, outside = (*static, residuals, result), _undifferentiated(frame)
    run_backward(machine, backward, passed, numbers, arguments, outside, node)


def _without_identity(value: Value) -> Value:
    return anonymous(value) if isinstance(value, Array) else value
