"""Transforms that return functions: `jit`, `grad`, `vmap`, `checkpoint`, `custom_vjp` and their
kin.

Control-flow operators and transforms that are called at once are in `control_flow`.
"""

from oakum.errors import InvalidValueError
from oakum.values.facts import Facts
from oakum.values.records import replace
from oakum_lint.arrays.array_results import new_array
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import (
    ClassValue,
    FunctionValue,
    Pushforward,
    Site,
    Tracing,
    TransformDecorator,
    Transformed,
)
from oakum_lint.domain.doubts import note_refused, note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.names import spelling
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import (
    UNKNOWN,
    Constant,
    Entries,
    HeapObject,
    Items,
    TupleValue,
    Value,
    is_jax_array,
)
from oakum_lint.jax.annotation_values import promises_array
from oakum_lint.jax.argument_requirements import check_static
from oakum_lint.jax.batching import announce_mapped, call_batched
from oakum_lint.jax.control_flow import AT_ONCE
from oakum_lint.jax.custom_rules import array_annotation, call_custom
from oakum_lint.jax.differentiation import call_differentiated
from oakum_lint.jax.mapped_axes import check_axes, check_out_axes
from oakum_lint.jax.public_calls import argument_places, bind_values, content_value, settle
from oakum_lint.jax.staging import call_staged, is_compiled, is_integer
from oakum_lint.jax.static_annotations import check_static_annotations
from oakum_lint.jax.static_arguments import (
    has_plain_parameters,
    known_integers,
    missing_parameters,
    parameter_names,
    static_parameters,
)
from oakum_lint.models.transforms import COUNTS_AXES
from oakum_lint.python.objects.classes import annotated_instance, prototype, receiver_kind
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes
from oakum_lint.text.names import count_word, member


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
    if bound is None:
        options = declared.signature.parameters
        # An older version may have had the option, or have taken it by position.
        older = not settled.keywords.keys() <= options.keys() or settled.positional
        note_stop(machine, frame, node, "perhaps" if older else "any")
    if bound is not None and declared.static:
        places = argument_places(declared, arguments, node)
        check_static(machine, declared, bound, places, spelling(node, path, frame), frame, node)
    if at_once is not None:
        return at_once(machine, path, declared, arguments, frame, node)
    callee_name = tracing.facts.callees[0] if tracing.facts.callees else ""
    return transform_function(
        machine,
        path,
        tracing,
        bound_options(declared, arguments),
        arguments.more_keywords,
        callee_name,
        frame,
        node,
    )


def bound_options(declared: Facts, arguments: Arguments) -> dict[str, Value]:
    """The arguments that were passed, by the names of their parameters, or that may be passed by a
    `*args` of unknown length.
    """
    parameters = declared.signature.parameters.values()
    names = [
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    options: dict[str, Value] = dict(zip(names, arguments.positional, strict=False))
    if len(arguments.positional) > len(names):
        # Older versions took more of them by position: which are meant is not known.
        keywords = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
        options.update(dict.fromkeys(keywords, UNKNOWN))
    if arguments.more is not None:
        options.update(dict.fromkeys(names[len(arguments.positional) :], UNKNOWN))
    options.update(arguments.keywords)
    return options


def transform_function(
    machine: Machine,
    path: str,
    tracing: Tracing,
    given: dict[str, Value],
    more: Value | None,
    callee_name: str,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`transform(function, **options)`, or with options alone a decorator. `more` is what further
    options are whose names are not known.
    """
    callee = given.pop(callee_name, None)
    known = tuple((name, content_value(machine, value)) for name, value in given.items())
    options = Entries(known, more)
    if callee is None:
        return TransformDecorator(path, options, tracing)
    if tracing.facts.kind == "named":
        return callee
    return make_transformed(machine, path, callee, options, tracing, frame, node)


def make_transformed(
    machine: Machine,
    path: str,
    callee: Value,
    options: Entries,
    tracing: Tracing,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The transformed function; it is noted, to be traced even if nobody is seen to call it."""
    if _is_no_function(callee):
        error = InvalidValueError(
            f"Expected a callable value, got {_first_argument(node, frame)}",
            hint="Give a function.",
        )
        report(machine, error, spelling(node, path, frame), ((callee, None),), frame, node)
        return UNKNOWN
    if isinstance(callee, Constant):
        return UNKNOWN
    made = Transformed(path, callee, options, tracing, frame.site(node))
    machine.pending.append((made, frame))
    check_options(machine, made, frame, node)
    for hears in machine.moments.transform_made:
        hears(machine, made, frame)
    return made


def _is_no_function(callee: Value) -> bool:
    """Whether a value certainly cannot be called."""
    match callee:
        case TupleValue(cls=None) | HeapObject(kind="list" | "dict" | "set", cls=None):
            return True
        case Constant(value):
            return value is not None
        case _:
            return is_jax_array(callee)


def _first_argument(node: nodes.Node, frame: Frame) -> str:
    """Returns the text of what a call passes first; of a decorator, what it decorates."""
    passed = node.arguments if isinstance(node, nodes.Call) else ()
    return frame.text(passed[0]) if passed else "what is no function"


def check_options(machine: Machine, function: Transformed, frame: Frame, node: nodes.Node) -> None:
    """Reports static arguments that the function does not have, and arrays that may not be
    non-differentiable.
    """
    signature = signature_of(machine, function.function)
    if not has_plain_parameters(signature):
        return
    if function.name.endswith("custom_vjp"):
        for number in known_integers(function.option("nondiff_argnums")) or ():
            parameter, annotation = signature.parameter(number), array_annotation(signature, number)
            if parameter is not None and annotation is not None:
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
    for option, parameter in missing_parameters(function, signature):
        machine.emit(
            events.MissingStaticArgument,
            frame,
            node,
            function,
            node,
            function=signature.name,
            option=option,
            parameter=parameter,
            parameters=parameter_names(signature),
        )
        note_stop(machine, frame, node)


def complete_decorator(
    machine: Machine,
    decorator: TransformDecorator,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls a transform that has its options already: `jax.jit(static_argnums=0)(f)`."""
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
            return call_differentiated(machine, function, arguments, frame, node)
        case "vmap":
            return call_batched(machine, function, arguments, frame, node)
        case "custom" | "named":
            return call_custom(machine, function, arguments, frame, node)
        case "linear_transpose":
            return _call_transposed(machine, function, arguments, frame, node)
        case _:
            if check_axes(machine, function, arguments, frame, node):
                return UNKNOWN
            if function.name in COUNTS_AXES:
                announce_mapped(machine, function, arguments, frame, node)
            result = call_staged(machine, function, arguments, frame, node)
            check_out_axes(machine, function, result, frame, node)
            return result


def _call_transposed(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls the transpose of a function: that was traced with arguments which are not known here,
    and what is passed now has the form of its result.
    """
    if isinstance(function.function, Pushforward):
        return machine.call(function.function.pullback, arguments, frame, node)
    unknown = unknown_arguments(machine, signature_of(machine, function.function), frame)
    call_staged(machine, function, unknown, frame, node)
    return TupleValue(None, new_array(None, arguments.all_values(), frame, node))


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
    is_jit = function.transform.facts.kind == "jit"
    refuses = is_jit and check_static_annotations(machine, function, frame)
    definition = signature.function.definition
    frame = _beside(signature.function, frame)
    if refuses:
        note_refused(machine, frame, definition)
    arguments = unknown_arguments(machine, signature, frame)
    cls = signature.function.cls
    is_method = (
        cls is not None
        and receiver_kind(signature.function) is not None
        and not _is_read_of_class(machine, signature.function, cls)
    )
    is_called = machine.known.traced.holds(signature.function)
    if target is signature.function and is_method and cls is not None and arguments.positional:
        for receiver in cls.subclasses():
            if receiver is cls and is_called:
                continue
            held = class_attribute(machine, receiver, signature.name)
            if held is not None and signature_of(machine, held).function != signature.function:
                # It has another method of this name.
                continue
            instance = prototype(machine, receiver, frame)
            given = arguments.without_first().prepended(instance)
            machine.call(function, given, frame, definition)
        arguments = arguments.without_first().prepended(prototype(machine, cls, frame))
    elif not is_called:
        machine.call(function, arguments, frame, definition)
    _replace_defaults(machine, function, signature, arguments, frame, is_called=is_called)


def _is_read_of_class(machine: Machine, function: FunctionValue, cls: ClassValue) -> bool:
    """Whether the project has a method of its class, as a plain function: what its first parameter
    gets need not be an instance.
    """
    wording = member(cls.name, function.name)
    return bool(machine.project.units_that_say(function.module, wording))


def _replace_defaults(
    machine: Machine,
    function: Transformed,
    signature: Signature,
    arguments: Arguments,
    frame: Frame,
    *,
    is_called: bool,
) -> None:
    """Reports what fails for whoever passes an argument to a public jitted function in the place
    of its default, which is never traced: of a flag or a text, of None for an array, and of an
    integer that is annotated as one, or where no call is seen (those that are may all be content
    with theirs).
    """
    callee, static = signature.function, static_parameters(function, signature)
    if callee is None or static is None or not is_compiled(function):
        return
    if not callee.is_public or not _decorates(function, callee):
        return
    kinds = (bool, str) if is_called else (bool, str, int)
    places = {p.name: p for p in _replaceable(machine, callee, signature, static, kinds)}
    if not places:
        return
    keywords = {name: _passed_for(parameter) for name, parameter in places.items()}
    given = replace(
        arguments, keywords={**arguments.keywords, **keywords}, keyword_places=dict(places)
    )
    with machine.reports.collecting() as found:
        machine.call(function, given, frame, callee.definition)
    at = {
        name: location_of(Site(callee.module, callee.unit, place.start, place.end))
        for name, place in places.items()
    }
    for event in found:
        match event:
            case events.ForeignOperand(parameter=name) if name in at:
                passed = replace(event, location=at[name])
                machine.reports.report((passed.weakened("no call is seen that passes one"),))
            case _ if any(link.location in at.values() for link in event.weak):
                machine.reports.report((event,))
            case _:
                pass


def _replaceable(
    machine: Machine,
    callee: FunctionValue,
    signature: Signature,
    static: frozenset[int | str],
    kinds: tuple[type, ...],
) -> list[nodes.Parameter]:
    """The traced parameters that are read, with defaults of some kinds or None for an array."""
    body = callee.unit.part(callee.definition.start, callee.definition.end)
    return [
        parameter
        for parameter in (*signature.positional, *signature.keyword_only)
        if isinstance(parameter.default, nodes.Constant)
        and (
            isinstance(parameter.default.value, kinds)
            or (isinstance(parameter.default.value, int) and is_integer(parameter))
            or (parameter.default.value is None and promises_array(machine, callee, parameter))
        )
        and parameter.name not in static
        and count_word(body, parameter.name) > 1
    ]


def _passed_for(parameter: nodes.Parameter) -> Value:
    """What a caller may pass in the place of a default: another text, or some flag."""
    match parameter.default:
        case nodes.Constant(value=str() as text):
            return Constant(text)
        case _:
            return UNKNOWN


def _decorates(function: Transformed, callee: FunctionValue) -> bool:
    """Whether a transform stands above the definition of its function, which exists without it
    nowhere.
    """
    definition = callee.definition
    if not isinstance(definition, nodes.FunctionDefinition):
        return False
    inside = definition.start <= function.site.start < definition.body[0].start
    return inside and function.site.unit is callee.unit


def _beside(function: FunctionValue, frame: Frame) -> Frame:
    """The frame, in the file of a function that may come from another one: its definition stands
    for the call.
    """
    if function.unit is frame.unit:
        return frame
    beside = Frame(function.scope, function.unit, function.module, frame.trace)
    beside.regions.quiet, beside.regions.caught = frame.regions.quiet, frame.regions.caught
    return beside


def unknown_arguments(machine: Machine, signature: Signature, frame: Frame) -> Arguments:
    """A call with every required argument, each unknown but for its annotated class; and with those
    that have a class as their default (`batch=Transition`, which was to be an annotation): no array
    can be one.
    """
    required = [p for p in signature.positional if p.default is None]
    positional = tuple(annotated_instance(machine, signature.function, p, frame) for p in required)
    keywords: dict[str, Value] = {
        p.name: UNKNOWN for p in signature.keyword_only if p.default is None
    }
    if signature.function is not None:
        for name, value in signature.function.defaults.items():
            if isinstance(value, ClassValue):
                keywords[name] = UNKNOWN
    more = None if signature.variadic is None else UNKNOWN
    return Arguments(positional, keywords, more)
