"""Transforms that return functions: `jit`, `grad`, `vmap`, `checkpoint`, `custom_vjp` and their kin.

Control-flow operators and transforms that are called at once are in `control_flow`.
"""

import re

from oakum.facts import Facts
from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.classes import prototype
from oakum_lint.interp.control_flow import AT_ONCE
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.lifting import Lowerer
from oakum_lint.interp.machine import Machine, traces
from oakum_lint.interp.public_calls import (
    argument_places,
    bind_values,
    check_static,
    content_value,
    settle,
    spelling,
)
from oakum_lint.interp.pytrees import map_leaves
from oakum_lint.interp.results import UNKNOWN_ARRAY, place_of_result
from oakum_lint.interp.signatures import Signature, signature_of
from oakum_lint.interp.tracing import (
    TraceEntry,
    call_traced,
    lift_argument,
    new_trace,
    origin_of_parameter,
)
from oakum_lint.interp.values import (
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    Constant,
    HeapObject,
    Items,
    Scalar,
    Tracing,
    TransformDecorator,
    Transformed,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_tracer,
)


def apply_transform(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls a transform or control-flow operator of JAX."""
    assert declared.transform is not None
    tracing = Tracing(declared.transform)
    kind = tracing.facts.kind
    at_once = AT_ONCE.get(kind)
    settled = settle(machine, arguments)
    bound = bind_values(declared, settled)
    if bound is not None and declared.static:
        places = argument_places(declared, arguments, node)
        check_static(machine, declared, bound, places, spelling(node, path, frame), frame, node)
    if at_once is not None:
        return at_once(machine, path, declared, arguments, frame, node)
    callee_name = tracing.facts.callees[0] if tracing.facts.callees else ""
    return transform_function(
        machine, path, tracing, bound_options(declared, arguments), callee_name, frame, node
    )


def bound_options(declared: Facts, arguments: Arguments) -> dict[str, Value]:
    """The arguments that were given, by the names of their parameters."""
    options: dict[str, Value] = {}
    names = [
        parameter.name
        for parameter in declared.signature.parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    for name, value in zip(names, arguments.positional, strict=False):
        options[name] = value
    options.update(arguments.keywords)
    return options


def transform_function(
    machine: Machine,
    path: str,
    tracing: Tracing,
    given: dict[str, Value],
    callee_name: str,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`transform(function, **options)`, or with options alone a decorator."""
    callee = given.pop(callee_name, None)
    options = tuple((name, content_value(machine, value)) for name, value in given.items())
    if callee is None:
        return TransformDecorator(path, options, tracing)
    if tracing.facts.kind == "named":
        return callee
    return make_transformed(machine, path, callee, options, tracing, frame, node)


def make_transformed(
    machine: Machine,
    path: str,
    callee: Value,
    options: tuple[tuple[str, Value], ...],
    tracing: Tracing,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The transformed function; it is noted, to be traced even if nobody is seen to call it."""
    if isinstance(callee, Unknown | Constant):
        return UNKNOWN
    made = Transformed(path, callee, options, tracing, frame.site(node))
    machine.pending.append((made, frame))
    check_options(machine, made, frame, node)
    return made


ARRAY_ANNOTATIONS = re.compile(
    r"^(jax\.Array|Array|jnp\.ndarray|jnp\.array|chex\.Array|ArrayLike)$"
)


def check_options(machine: Machine, function: Transformed, frame: Frame, node: nodes.Node) -> None:
    """Reports static arguments that the function does not have, and arrays that may not be non-differentiable."""
    signature = signature_of(machine, function.function)
    if signature.function is None or signature.function.decorated:
        return
    parameters = signature.function.definition.parameters.items
    if any(p.kind in ("var_keyword", "var_positional") for p in parameters):
        return
    if function.transform.facts.kind == "custom":
        for number in _integers(function.option("nondiff_argnums")) or ():
            parameter = signature.parameter(number)
            if parameter is None or parameter.annotation is None:
                continue
            annotation = signature.function.unit.text[
                parameter.annotation.start : parameter.annotation.end
            ]
            if ARRAY_ANNOTATIONS.match(annotation):
                machine.emit(
                    events.ArrayNondiffArgument,
                    frame,
                    node,
                    function,
                    node,
                    function=signature.name,
                    parameter=parameter.name,
                    annotation=annotation,
                )
                return
    for name in _names(function.option("static_argnames")) or ():
        if signature.by_name(name) is None:
            machine.emit(
                events.MissingStaticArgument,
                frame,
                node,
                function,
                node,
                function=signature.name,
                parameter=name,
                parameters=tuple(p.name for p in parameters),
            )


def complete_decorator(
    machine: Machine,
    decorator: TransformDecorator,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls a transform that was given its options before: `jax.jit(static_argnums=0)(f)`."""
    callee = arguments.get(0)
    if callee is None:
        return UNKNOWN
    return make_transformed(
        machine, decorator.name, callee, decorator.options, decorator.transform, frame, node
    )


def call_transformed(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a transformed function."""
    match function.transform.facts.kind:
        case "grad" | "linearize":
            return _call_differentiated(machine, function, arguments, frame, node)
        case "vmap":
            return _call_batched(machine, function, arguments, frame, node)
        case "custom" | "named" | "linear_transpose":
            return _call_custom(machine, function, arguments, frame, node)
        case _:
            return _call_staged(machine, function, arguments, frame, node)


# --- jit, checkpoint, make_jaxpr ---------------------------------------------------------------


def _call_staged(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    signature = signature_of(machine, function.function)
    static = static_parameters(function, signature)
    entry = new_trace(machine, function, frame, node)
    lifted = _lift_arguments(machine, function, arguments, signature, static, entry, frame, node)
    callee = _lift_callee(machine, function, entry)
    result = call_traced(machine, callee, lifted, entry)
    if function.transform.facts.kind == "make_jaxpr":
        return UNKNOWN
    return lower_result(machine, result, arguments, frame, node)


def _lift_callee(machine: Machine, function: Transformed, entry: TraceEntry) -> Value:
    """The function as the trace calls it: `filter_jit` of a module traces the module's own arrays."""
    callee = function.function
    if function.transform.scope != "filter":
        return callee
    match callee:
        case HeapObject(kind="instance"):
            return lift_argument(machine, callee, entry, None, function.transform)
        case BoundMethod(inner, HeapObject(kind="instance") as receiver):
            return BoundMethod(
                inner, lift_argument(machine, receiver, entry, None, function.transform)
            )
        case _:
            return callee


def lower_result(
    machine: Machine,
    result: Value,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    *,
    add_axis: bool = False,
) -> Value:
    """What the caller sees of the result of a trace."""
    place, level = place_of_result(arguments.all_values(), frame)
    return map_leaves(
        machine, result, Lowerer(place, level, None, add_axis), frame.level, frame, node
    )


def static_parameters(function: Transformed, signature: Signature) -> frozenset[int | str] | None:
    """Static positions and names of a jitted function, by JAX's own inference; None when an option is not known.

    As in JAX, names follow from numbers and numbers from names by the signature.
    """
    numbers = _integers(function.option("static_argnums")) or ()
    names = _names(function.option("static_argnames")) or ()
    broadcast = _integers(function.option("static_broadcasted_argnums")) or ()
    for option, read in (("static_argnums", numbers), ("static_argnames", names)):
        given = function.option(option)
        if given is not None and given != NONE and not read and not _is_empty(given):
            return None
    positions = [*numbers, *broadcast]
    static: set[int | str] = set()
    for number in positions:
        position = number if number >= 0 else number + len(signature.positional)
        static.add(position)
        if 0 <= position < len(signature.positional):
            static.add(signature.positional[position].name)
    for name in names:
        static.add(name)
        for position, parameter in enumerate(signature.positional):
            if parameter.name == name:
                static.add(position)
    return frozenset(static)


def _is_empty(value: Value) -> bool:
    return isinstance(value, TupleValue | Items) and value.elements == ()


def _integers(value: Value | None) -> tuple[int, ...] | None:
    """A tuple of known integers: of one integer, or a tuple or list of them."""
    elements = value.elements if isinstance(value, TupleValue | Items) else (value,)
    if elements is None:
        return None
    numbers = tuple(
        e.value for e in elements if isinstance(e, Constant) and isinstance(e.value, int)
    )
    return numbers if len(numbers) == len(elements) else None


def _names(value: Value | None) -> tuple[str, ...] | None:
    elements = value.elements if isinstance(value, TupleValue | Items) else (value,)
    if elements is None:
        return None
    names = tuple(e.value for e in elements if isinstance(e, Constant) and isinstance(e.value, str))
    return names if len(names) == len(elements) else None


def _lift_arguments(
    machine: Machine,
    function: Transformed,
    arguments: Arguments,
    signature: Signature,
    static: frozenset[int | str] | None,
    entry: TraceEntry,
    frame: Frame,
    node: nodes.Node,
) -> Arguments:
    """The arguments as the traced function gets them: tracers, but for the static ones."""
    tracing = function.transform
    if static is None:
        # Which parameters are static is not known: none can be said to be a tracer.
        unknown = Arguments(
            (UNKNOWN,) * len(arguments.positional), dict.fromkeys(arguments.keywords, UNKNOWN)
        )
        return unknown
    positional: list[Value] = []
    for position, value in enumerate(arguments.positional):
        parameter = signature.parameter(position)
        if position in static:
            name = parameter.name if parameter is not None else str(position)
            place = arguments.place(position, "", node)
            positional.append(_static_value(machine, signature, value, name, frame, place))
        elif position < tracing.skip or tracing.scope == "through":
            positional.append(value)
        else:
            origin = origin_of_parameter(signature, parameter, entry)
            positional.append(lift_argument(machine, value, entry, origin, tracing))
    keywords: dict[str, Value] = {}
    for name, value in arguments.keywords.items():
        if name in static:
            place = arguments.place(-1, name, node)
            keywords[name] = _static_value(machine, signature, value, name, frame, place)
        elif tracing.scope == "through":
            keywords[name] = value
        else:
            origin = origin_of_parameter(signature, signature.by_name(name), entry)
            keywords[name] = lift_argument(machine, value, entry, origin, tracing)
    more = arguments.more
    if more is not None:
        more = UNKNOWN if static else lift_argument(machine, more, entry, None, tracing)
    return Arguments(
        tuple(positional),
        keywords,
        more,
        UNKNOWN if arguments.more_keywords is not None else None,
        arguments.places,
        arguments.keyword_places,
    )


def _static_value(
    machine: Machine,
    signature: Signature,
    value: Value,
    name: str,
    frame: Frame,
    place: nodes.Node,
) -> Value:
    """A static argument as it is; a tracer given for one is not hashable."""
    if not (isinstance(value, Array | Tree) and is_tracer(value)):
        return value
    if value.origin is not None and value.origin.presumed:
        return UNKNOWN
    machine.emit(
        events.StaticArgument,
        frame,
        place,
        value,
        function=signature.name,
        parameter=name,
        by_user=True,
    )
    return UNKNOWN


# --- grad and its kin --------------------------------------------------------------------------


def _call_differentiated(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    signature = signature_of(machine, function.function)
    given = function.option("argnums")
    numbers = (0,) if given is None else _integers(given)
    name = function.name.rpartition(".")[2]
    entry = new_trace(machine, function, frame, node)
    tracing = function.transform
    positional: list[Value] = []
    for position, value in enumerate(arguments.positional):
        if numbers is None:
            positional.append(UNKNOWN)
        elif position in {n if n >= 0 else n + len(arguments.positional) for n in numbers}:
            origin = origin_of_parameter(signature, signature.parameter(position), entry)
            positional.append(lift_argument(machine, value, entry, origin, tracing))
        else:
            positional.append(value)
    traced = Arguments(
        tuple(positional),
        arguments.keywords,
        arguments.more,
        arguments.more_keywords,
        arguments.places,
        arguments.keyword_places,
    )
    result = call_traced(machine, function.function, traced, entry)
    return _gradient(machine, function, name, result, numbers, given, arguments, frame, node)


def _gradient(
    machine: Machine,
    function: Transformed,
    name: str,
    result: Value,
    numbers: tuple[int, ...] | None,
    given: Value | None,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The result of a differentiated call: gradients shaped like the arguments, and the value or aux."""
    value = lower_result(machine, result, arguments, frame, node)
    has_aux = function.option("has_aux")
    aux: Value | None = None
    if has_aux == Constant(True):
        pair = value.elements if isinstance(value, TupleValue) else None
        value, aux = (pair[0], pair[1]) if pair and len(pair) == 2 else (UNKNOWN, UNKNOWN)
    elif has_aux is not None and has_aux not in (Constant(False), NONE):
        return UNKNOWN
    gradients = _gradients(machine, name, numbers, given, arguments, frame, node)
    if name in ("value_and_grad", "filter_value_and_grad"):
        first = value if aux is None else TupleValue((value, aux))
        return TupleValue((first, gradients))
    return gradients if aux is None else TupleValue((gradients, aux))


def _gradients(
    machine: Machine,
    name: str,
    numbers: tuple[int, ...] | None,
    given: Value | None,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    place, level = place_of_result(arguments.all_values(), frame)
    lowerer = Lowerer(place, level, None)
    if numbers is None:
        return UNKNOWN
    if not name.endswith("grad"):
        return Array(UNKNOWN_ARRAY, place, level) if len(numbers) == 1 else UNKNOWN
    parts: list[Value] = []
    for number in numbers:
        argument = arguments.get(number)
        if argument is None:
            parts.append(UNKNOWN)
            continue
        parts.append(map_leaves(machine, argument, lowerer, frame.level, frame, node))
    if isinstance(given, TupleValue | Items):
        return TupleValue(tuple(parts))
    return parts[0] if parts else UNKNOWN


# --- vmap --------------------------------------------------------------------------------------


def _call_batched(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    signature = signature_of(machine, function.function)
    entry = new_trace(machine, function, frame, node)
    axes = function.option("in_axes")
    static = _integers(function.option("static_broadcasted_argnums")) or ()
    vectorized = function.name == "jax.numpy.vectorize"
    positional: list[Value] = []
    for position, value in enumerate(arguments.positional):
        axis = _axis_at(axes, position)
        if axis == NONE or position in static or (vectorized and _is_scalar(value)):
            positional.append(value)
        elif axis is None or isinstance(axis, Unknown):
            positional.append(UNKNOWN)
        else:
            origin = origin_of_parameter(signature, signature.parameter(position), entry)
            whole = isinstance(axis, Constant)
            lifted = lift_argument(
                machine, value, entry, origin, function.transform, drop_axis=axis == Constant(0)
            )
            positional.append(lifted if whole else _partly_mapped(machine, value, axis, entry))
    keywords = {
        name: lift_argument(
            machine,
            value,
            entry,
            origin_of_parameter(signature, signature.by_name(name), entry),
            function.transform,
            drop_axis=True,
        )
        for name, value in arguments.keywords.items()
    }
    traced = Arguments(
        tuple(positional),
        keywords,
        UNKNOWN if arguments.more is not None else None,
        UNKNOWN if arguments.more_keywords is not None else None,
        arguments.places,
        arguments.keyword_places,
    )
    result = call_traced(machine, function.function, traced, entry)
    return lower_result(machine, result, arguments, frame, node, add_axis=True)


def _is_scalar(value: Value) -> bool:
    """Whether `vectorize` has nothing to map over in an argument."""
    if isinstance(value, Array):
        return value.aval.shape == ()
    return isinstance(value, Constant | Scalar)


def _axis_at(axes: Value | None, position: int) -> Value | None:
    """The `in_axes` of one argument; None when it is not known."""
    match axes:
        case None:
            return Constant(0)
        case Constant(int()):
            return axes
        case Constant(None):
            return NONE
        case TupleValue(elements) | Items(elements) if elements is not None:
            return elements[position] if position < len(elements) else None
        case _:
            return None


def _partly_mapped(machine: Machine, value: Value, axis: Value, entry: TraceEntry) -> Value:
    """An argument whose `in_axes` is a tree of its own: which leaves are mapped is looked up where both are known."""
    if (
        isinstance(axis, TupleValue | Items)
        and isinstance(value, TupleValue)
        and axis.elements is not None
        and value.elements is not None
        and len(axis.elements) == len(value.elements)
    ):
        parts = [
            item if a == NONE else lift_argument(machine, item, entry, None, None, drop_axis=True)
            for item, a in zip(value.elements, axis.elements, strict=True)
        ]
        return TupleValue(tuple(parts), UNKNOWN, value.cls)
    return UNKNOWN


# --- custom_jvp, custom_vjp --------------------------------------------------------------------


def _call_custom(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """The function itself runs in the caller's trace; its derivative rules do when the caller is differentiated."""
    result = machine.call(function.function, arguments, frame, node)
    if not any(trace.differentiates for trace in traces(frame.trace)):
        return result
    forward = machine.derivative_rules.get((function.site, "fwd"))
    if forward is not None:
        outputs = machine.call(forward, arguments, frame, node)
        backward = machine.derivative_rules.get((function.site, "bwd"))
        if backward is not None:
            _call_backward(machine, function, backward, outputs, result, arguments, frame, node)
    rule = machine.derivative_rules.get((function.site, "jvp"))
    if rule is not None and id(signature_of(machine, rule).function) not in machine.active:
        pair = TupleValue(arguments.positional)
        machine.call(rule, Arguments((pair, pair)), frame, node)
    return result


def _call_backward(
    machine: Machine,
    function: Transformed,
    backward: Value,
    outputs: Value,
    result: Value,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    residuals: Value = UNKNOWN
    if isinstance(outputs, TupleValue) and outputs.elements and len(outputs.elements) == 2:
        residuals = outputs.elements[1]
    numbers = _integers(function.option("nondiff_argnums")) or ()
    static = [arguments.get(n) or UNKNOWN for n in numbers]
    machine.call(backward, Arguments((*static, residuals, result)), frame, node)


# --- functions that nobody was seen to call ------------------------------------------------------


def trace_pending(machine: Machine, function: Transformed, frame: Frame) -> None:
    """Traces a transformed function with unknown arguments, if no call of it was seen.

    A method is traced on an instance of its class and of each subclass: they may override what it
    calls.
    """
    target = function.function
    signature = signature_of(machine, target)
    if signature.function is None or function.transform.facts.kind in ("custom", "named"):
        return
    axes = function.option("in_axes")
    if axes is not None and not isinstance(axes, Constant | TupleValue | Items):
        return
    definition = signature.function.definition
    arguments = unknown_arguments(signature)
    cls = signature.function.cls
    is_method = cls is not None and signature.function.scope is cls.body
    if target is signature.function and is_method and cls is not None and arguments.positional:
        seen = id(definition) in machine.traced
        for receiver in machine.subclasses(cls):
            if receiver is cls and seen:
                continue
            instance = prototype(machine, receiver, frame)
            given = arguments.without_first().prepended(instance)
            machine.call(function, given, frame, definition)
        return
    if id(definition) not in machine.traced:
        machine.call(function, arguments, frame, definition)


def unknown_arguments(signature: Signature) -> Arguments:
    """A call with every required argument given and nothing known of it."""
    required = [p for p in signature.positional if p.default is None]
    positional = (UNKNOWN,) * len(required)
    keywords = {p.name: UNKNOWN for p in signature.keyword_only if p.default is None}
    return Arguments(positional, keywords)
