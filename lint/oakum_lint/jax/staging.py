"""Calls of functions under `jit`, `checkpoint` and `make_jaxpr`."""

from collections.abc import Sequence

from oakum.values.records import replace
from oakum_lint.arrays.argument_uses import ADVANCED
from oakum_lint.arrays.array_results import place_of_result
from oakum_lint.arrays.graph_modules import made_inside
from oakum_lint.arrays.kept_programs import traced_call
from oakum_lint.arrays.pytrees import handing_through, leaves_of
from oakum_lint.arrays.trace_boundary import Lowerer, NewAxis, unseen_result
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import BoundMethod, Partial, Tracing, Transformed
from oakum_lint.domain.frames import Frame, TraceEntry
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join_all
from oakum_lint.domain.moments import CompiledCall, dispatch, meet, place_on, read_elements
from oakum_lint.domain.store import Recorder
from oakum_lint.domain.summaries.memory import hand_on
from oakum_lint.domain.values import (
    BOOL,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    HeapObject,
    Items,
    Mark,
    Origin,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_tracer,
    next_uid,
)
from oakum_lint.jax.annotation_values import as_annotated
from oakum_lint.jax.non_pytree_values import check_argument, check_hashable, check_result
from oakum_lint.jax.static_arguments import static_parameters
from oakum_lint.jax.tracing import (
    call_traced,
    lift_argument,
    maps,
    new_trace,
    origin_of_parameter,
)
from oakum_lint.models.dotted import PMAP
from oakum_lint.models.transforms import PLACING
from oakum_lint.python.objects.classes import annotated_instance
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes


def call_staged(
    machine: Machine,
    function: Transformed,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    *,
    runs: bool = True,
) -> Value:
    """Calls a function that is traced with all but its static arguments as tracers; without `runs`
    it is only traced, as `lower` does, and nothing is handed to the device.
    """
    signature = signature_of(machine, function.function)
    static = static_parameters(function, signature)
    entry = new_trace(machine, function, frame, node, runs=runs)
    lifted = _lift_arguments(machine, function, arguments, signature, static, entry, frame, node)
    call = CompiledCall(function, signature, arguments, lifted, static, frame, node)
    callee = _lift_callee(machine, function, entry)
    placing = any(function.option(name) is not None for name in PLACING)
    if runs and (is_compiled(function) or function.transform.compiles):
        result = _call_compiled(machine, call, callee, entry, placing=placing)
    else:
        result = _call_by_programs(machine, call, callee, entry)
    if is_compiled(function) and check_result(machine, signature, result, frame, node):
        return UNKNOWN
    if function.transform.facts.kind == "make_jaxpr" or not runs:
        return UNKNOWN
    if function.transform.facts.kind == "jit":
        dispatch(machine, signature.name, None, frame)
    parted = function.transform.facts.parts
    lowered = lower_result(
        machine,
        result,
        arguments,
        frame,
        node,
        axis=NewAxis() if parted else None,
        keeps_numbers=function.transform.scope == "filter" and not parted,
        of_arrays=takes_arrays_only(function),
    )
    if placing:
        lowered = place_on(machine, lowered, UNKNOWN, frame, node)
    if is_compiled(function):
        for hears in machine.moments.compiled_result:
            hears(machine, call, lowered)
    return lowered


def _call_compiled(
    machine: Machine, call: CompiledCall, callee: Value, entry: TraceEntry, *, placing: bool
) -> Value:
    """Calls a compiled function, and announces it to those that know its programs."""
    leaves = _leaves(machine, call.arguments, call.frame, call.node)
    read_elements(machine, leaves, call.frame, call.node)
    if not placing:
        meet(machine, leaves, call.frame, call.node)
    endings = [hears(machine, call) for hears in machine.moments.compiled_call]
    recorder = Recorder(next_uid(), machine.recorder)
    machine.recorder = recorder
    try:
        result = _call_by_programs(machine, call, callee, entry)
    finally:
        machine.recorder = recorder.parent
    hand_on(recorder)
    for ending in endings:
        if ending is not None:
            ending(recorder)
    return result


def _call_by_programs(
    machine: Machine, call: CompiledCall, callee: Value, entry: TraceEntry
) -> Value:
    """Calls a function inside a trace. Where its program may be there already its body perhaps does
    not run: it is followed for the result, and what it changes outside may stay as it is.
    """
    traced = None
    if call.function.transform.facts.kind == "jit":
        traced = traced_call(machine, call.function, call.lifted, call.frame, call.node)
    if traced is None:
        return call_traced(machine, callee, call.lifted, entry)
    results: list[Value] = []

    def run() -> bool:
        results.append(call_traced(machine, callee, call.lifted, entry))
        return True

    may_be_kept, started = traced.may_be_kept(machine), next_uid()
    written = machine.run_path(run)[1]
    changed = {
        key: value
        for key, value in written.items()
        if key[0].uid < started and not isinstance(value, Mark)
    }
    if may_be_kept:
        for key in changed:
            del written[key]
    machine.store.merge([written])
    if may_be_kept and changed:
        machine.store.merge([{}, changed])
    if changed and call.frame.silence == "none":
        traced.keep(machine)
    return results[0]


def _leaves(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> list[Value]:
    if frame.level:
        return []
    values = (*arguments.positional, *arguments.keywords.values())
    return [leaf for value in values for leaf in leaves_of(machine, value, frame, node)[0]]


def is_compiled(function: Transformed) -> bool:
    """Whether it is jit, which looks at all of its arguments."""
    return function.transform.facts.kind == "jit" and function.transform.scope == "all"


def takes_arrays_only(function: Transformed) -> bool:
    """Whether what is no array, number or tree of these is refused as a traced argument."""
    facts = function.transform.facts
    return facts.kind in ("jit", "checkpoint") and function.transform.scope == "all"


def _lift_callee(machine: Machine, function: Transformed, entry: TraceEntry) -> Value:
    """The function as the trace calls it: `filter_jit` of a module traces the module's own
    arrays.
    """
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
    axis: NewAxis | None = None,
    differentiated: bool = False,
    handed: Sequence[tuple[Value, Value]] = (),
    keeps_numbers: bool = False,
    of_arrays: bool = False,
) -> Value:
    """Returns the result of a trace as the caller sees it. `handed` says as what comes out what the
    function got, where it hands it through, `keeps_numbers` that numbers of Python do not become
    arrays, `of_arrays` that the result is made of nothing but arrays.
    """
    place, level = place_of_result(arguments.all_values(), frame)
    if place is Place.ANY and frame.trace is None and not frame.called.speculative:
        # The program itself runs here, and no trace around it: what is not known is no tracer.
        place = Place.DEVICE
    lowerer = Lowerer(
        place,
        level,
        None,
        axis,
        keeps_cut=not differentiated,
        outside=frame.level,
        staged=frame.staged_level,
        keeps_untraced=differentiated,
        keeps_numbers=keeps_numbers,
        unseen=unseen_result(level, frame, node) if of_arrays else None,
    )
    leaf = handing_through(machine, lowerer, handed, frame, node)
    return made_inside(machine, result, frame.level, frame, node, leaf)


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
    left = "all" if tracing.scope == "through" else tracing.facts.leaves
    if static is None:
        # Which parameters are static is not known: none can be said to be a tracer.
        return Arguments(
            (UNKNOWN,) * len(arguments.positional),
            dict.fromkeys(arguments.keywords, UNKNOWN),
            UNKNOWN if arguments.more is not None else None,
            UNKNOWN if arguments.more_keywords is not None else None,
        )

    positional: list[Value] = []
    for position, value in enumerate(arguments.positional):
        parameter = signature.parameter(position)
        name = parameter.name if parameter is not None else str(position)
        place = arguments.place(position, "", node)
        if position in static:
            positional.append(
                _static_value(machine, function, signature, value, name, frame, node, place)
            )
        elif position < tracing.skip or left == "all" or _is_left(function, position):
            positional.append(value)
        else:
            value, origin = _by_annotation(
                machine, function, signature, parameter, value, entry, frame
            )
            lifting = replace(tracing, scope="all") if position in tracing.arrays else tracing
            passed = _traced_value(
                machine, function, signature, value, name, entry, origin, place, lifting
            )
            positional.append(as_annotated(machine, signature.function, parameter, passed))
    keywords: dict[str, Value] = {}
    for name, value in arguments.keywords.items():
        place = arguments.place(-1, name, node)
        if name in static:
            keywords[name] = _static_value(
                machine, function, signature, value, name, frame, node, place
            )
        elif left:
            keywords[name] = value
        else:
            parameter = signature.by_name(name)
            value, origin = _by_annotation(
                machine, function, signature, parameter, value, entry, frame
            )
            passed = _traced_value(
                machine, function, signature, value, name, entry, origin, place, tracing
            )
            keywords[name] = as_annotated(machine, signature.function, parameter, passed)
    more = arguments.more
    if more is not None:
        more = (
            UNKNOWN
            if static or left == "all"
            else lift_argument(machine, more, entry, None, tracing)
        )
    return Arguments(
        tuple(positional),
        keywords,
        more,
        UNKNOWN if arguments.more_keywords is not None else None,
        arguments.places,
        arguments.keyword_places,
    )


def _is_mapped(function: Transformed) -> bool:
    """Whether what is passed to a function gets to its parameters in parts."""
    inner: Value = function
    while isinstance(inner, Transformed | Partial):
        if isinstance(inner, Transformed) and maps(inner):
            return True
        inner = inner.function
    return False


def _by_annotation(
    machine: Machine,
    function: Transformed,
    signature: Signature,
    parameter: nodes.Parameter | None,
    value: Value,
    entry: TraceEntry,
    frame: Frame,
) -> tuple[Value, Origin | None]:
    """An argument of which nothing is known as its parameter is annotated, and its origin. A flag
    is asked for its truth, which an empty tree has: its annotation, its default or its name says
    that it is a number. Behind a map they say it of a part of the argument.
    """
    origin = origin_of_parameter(signature, parameter, entry)
    if not isinstance(value, Unknown) or parameter is None or origin is None:
        return value, origin
    if _is_mapped(function):
        return value, origin
    doubt = f"`{parameter.name}` is {{}}; no argument is seen"
    match parameter:
        case nodes.Parameter(annotation=nodes.Name(identifier="bool")):
            doubt = doubt.format("a truth value by its annotation")
            return BOOL, replace(origin, doubt=doubt)
        case nodes.Parameter(default=nodes.Constant(value=int())) if is_integer(parameter):
            return INT, replace(origin, doubt=doubt.format("an integer by its annotation"))
        case nodes.Parameter(annotation=None, default=nodes.Constant(value=bool())):
            return BOOL, replace(origin, doubt=doubt.format("a truth value by its default"))
        case nodes.Parameter(annotation=None, default=nodes.Constant(value=int())):
            return INT, replace(origin, doubt=doubt.format("an integer by its default"))
        case nodes.Parameter(annotation=None, default=None) if (
            machine.assumptions.draws_by(parameter.name) is not None
        ):
            return Scalar("number"), replace(origin, doubt=doubt.format("a flag by its name"))
        case _:
            return annotated_instance(machine, signature.function, parameter, frame), origin


def is_integer(parameter: nodes.Parameter) -> bool:
    """Whether a parameter is annotated as an integer."""
    match parameter.annotation:
        case nodes.Name(identifier="int"):
            return True
        case _:
            return False


def _is_left(function: Transformed, position: int) -> bool:
    """Whether an argument is specified as one that does not reach the devices."""
    option = function.transform.facts.specifications
    specifications = function.option(option) if option else None
    if not isinstance(specifications, TupleValue | Items) or specifications.elements is None:
        return False
    return specifications.elements[position : position + 1] == (NONE,)


def _traced_value(
    machine: Machine,
    function: Transformed,
    signature: Signature,
    value: Value,
    name: str,
    entry: TraceEntry,
    origin: Origin | None,
    place: nodes.Node,
    tracing: Tracing,
) -> Value:
    """A traced argument as the function gets it; what is no array for jit stays as it is."""
    outside = entry.frame.caller
    if (
        outside is not None
        and takes_arrays_only(function)
        and check_argument(machine, signature, value, name, outside, entry.node, place)
    ):
        # An iterator that the call refuses is advanced by nothing.
        is_iterator = isinstance(value, HeapObject) and value.kind in ADVANCED
        return UNKNOWN if is_iterator else value
    parted = tracing.facts.parts
    # Of an array that each device gets a row of, the shape of a row is known.
    by_rows = function.name == PMAP and function.option("in_axes") in (None, Constant(0))
    return lift_argument(
        machine,
        value,
        entry,
        origin,
        tracing,
        drop_axis=0 if by_rows else None,
        forget_shape=parted and not by_rows,
    )


def _static_value(
    machine: Machine,
    function: Transformed,
    signature: Signature,
    value: Value,
    name: str,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
) -> Value:
    """A static argument as it is; a tracer passed for one is not hashable."""
    if is_compiled(function) and check_hashable(
        machine, signature, value, name, frame, node, place
    ):
        return UNKNOWN
    options = value.options if isinstance(value, Choice) else (value,)
    if not any(isinstance(each, Array | Tree) and is_tracer(each) for each in options):
        # No array has a hash: where the call is made, it is something else.
        return join_all(tuple(each for each in options if not isinstance(each, Array)))
    if not isinstance(value, Array | Tree):
        return UNKNOWN
    if value.origin is not None and value.origin.doubt:
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
