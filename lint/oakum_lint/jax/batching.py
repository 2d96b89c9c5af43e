"""Calls of functions under `vmap`, `pmap` and `vectorize`."""

from oakum.values.avals import UNKNOWN_DIM, Dim
from oakum.values.records import replace
from oakum_lint.arrays.array_results import new_array
from oakum_lint.arrays.graph_modules import made_inside
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.arrays.trace_boundary import NewAxis
from oakum_lint.domain.arguments import Arguments, Signature
from oakum_lint.domain.callables import Transformed
from oakum_lint.domain.frames import Frame, TraceEntry
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import entries_of
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Entries,
    HeapObject,
    Items,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.jax.mapped_axes import Mapped, announce, check_axes, check_out_axes, common_length
from oakum_lint.jax.non_pytree_values import check_operand, check_result
from oakum_lint.jax.staging import lower_result
from oakum_lint.jax.static_arguments import positions_in
from oakum_lint.jax.tracing import call_traced, lift_argument, new_trace, origin_of_parameter
from oakum_lint.models.packages import in_jax
from oakum_lint.models.transforms import CHECKS_AXES, EXCLUDES_ARGUMENTS
from oakum_lint.python.expressions.operators import is_number
from oakum_lint.python.objects.containers import make_dict
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes


def call_batched(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a function mapped over an axis of its arguments."""
    signature = signature_of(machine, function.function)
    entry = new_trace(machine, function, frame, node)
    axes = function.option("in_axes")
    if check_axes(machine, function, arguments, frame, node):
        return UNKNOWN
    vectorized = function.name == EXCLUDES_ARGUMENTS
    unmapped = _unmapped(machine, function)
    mapped: list[Mapped] = []
    positional: list[Value] = []
    for position, value in enumerate(_taken(function, arguments, unmapped, frame, node)):
        axis = _axis_at(axes, position)
        left_out = unmapped is not None and position in unmapped
        if axis == NONE or left_out or (vectorized and _is_scalar(value)):
            inside = (entry.trace.level, entry.frame, entry.node)
            positional.append(value if left_out else made_inside(machine, value, *inside))
        elif unmapped is None or axis is None:
            positional.append(UNKNOWN)
        elif isinstance(axis, Unknown):
            positional.append(_perhaps_mapped(signature, position, value, entry))
        else:
            parameter = signature.parameter(position)
            name = str(position) if parameter is None else parameter.name
            place = arguments.place(position, "", node)
            whole = isinstance(axis, Constant)
            if whole and check_operand(machine, value, signature.name, name, frame, node, place):
                return UNKNOWN
            origin = origin_of_parameter(signature, parameter, entry)
            along = axis.value if isinstance(axis, Constant) else None
            known = along if isinstance(along, int) and not vectorized else None
            if known is not None:
                mapped.append((value, known, place))
            lifted = lift_argument(
                machine,
                value,
                entry,
                origin,
                function.transform,
                drop_axis=known,
                forget_shape=known is None,
            )
            positional.append(lifted if whole else _partly_mapped(machine, value, axis, entry))
    keywords = _lift_keywords(
        machine, function, signature, unmapped, arguments, entry, mapped, frame, node
    )
    if keywords is None:
        return UNKNOWN
    traced = Arguments(
        tuple(positional),
        keywords,
        UNKNOWN if arguments.more is not None else None,
        UNKNOWN if arguments.more_keywords is not None else None,
        arguments.places,
        arguments.keyword_places,
    )
    announce(machine, function.name, mapped, frame, node)
    length: Dim = UNKNOWN_DIM
    if function.name == CHECKS_AXES:
        length = _mapped_length(machine, function, mapped, frame, node)
    result = call_traced(machine, function.function, traced, entry)
    check_out_axes(machine, function, result, frame, node)
    plain = not any(map(function.option, ("in_axes", "out_axes")))
    handed = tuple(zip(positional, arguments.positional, strict=True)) if plain else ()
    return _lower_results(machine, function, result, length, arguments, handed, frame, node)


def announce_mapped(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Announces the arguments whose axis a transform goes over that compiles besides."""
    unmapped = _unmapped(machine, function)
    axes = function.option("in_axes")
    mapped = [
        (value, 0, arguments.place(position, "", node))
        for position, value in enumerate(arguments.positional)
        if _axis_at(axes, position) not in (None, NONE)
        and unmapped is not None
        and position not in unmapped
    ]
    announce(machine, function.name, mapped, frame, node)


def _lower_results(
    machine: Machine,
    function: Transformed,
    result: Value,
    length: Dim,
    arguments: Arguments,
    handed: tuple[tuple[Value, Value], ...],
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Returns the results as the caller sees them, each with the axis that it gets. Where that is
    None a number of Python stays one, as by default do those of `filter_vmap`.
    """
    signature = signature_of(machine, function.function)
    refused = in_jax(function.name)
    if refused and check_result(machine, signature, result, frame, node, function.name):
        return UNKNOWN

    def lower(value: Value, along: Value | None) -> Value:
        match value, along:
            case TupleValue(parts, cls=None), TupleValue(known) if parts and known:
                if len(parts) == len(known):
                    return TupleValue(tuple(map(lower, parts, known)))
            case _:
                pass
        is_one = along is None or isinstance(along, Constant)
        if not is_one:
            # Which parts get an axis is not known: those that get none stay numbers of Python.
            value = map_leaves(machine, value, _unless_number, frame.level, frame, node)
        return lower_result(
            machine,
            value,
            arguments,
            frame,
            node,
            axis=None if along == NONE else _new_axis(length, along),
            handed=handed,
            keeps_numbers=along == NONE or function.transform.scope == "filter",
            of_arrays=function.transform.scope == "all" and is_one and along != NONE,
        )

    return lower(result, _axes_of_results(function))


def _lift_keywords(
    machine: Machine,
    function: Transformed,
    signature: Signature,
    unmapped: frozenset[int | str] | None,
    arguments: Arguments,
    entry: TraceEntry,
    mapped: list[Mapped],
    frame: Frame,
    node: nodes.Node,
) -> dict[str, Value] | None:
    """Returns the keyword arguments, which are mapped along their first axis; None where one is
    nothing that can be mapped.
    """
    keywords: dict[str, Value] = {}
    for name, value in arguments.keywords.items():
        if unmapped is None:
            keywords[name] = UNKNOWN
        elif name in unmapped:
            keywords[name] = value
        else:
            place = arguments.place(-1, name, node)
            if check_operand(machine, value, signature.name, name, frame, node, place):
                return None
            origin = origin_of_parameter(signature, signature.by_name(name), entry)
            mapped.append((value, 0, place))
            keywords[name] = lift_argument(
                machine, value, entry, origin, function.transform, drop_axis=0
            )
    return keywords


def _mapped_length(
    machine: Machine,
    function: Transformed,
    mapped: list[Mapped],
    frame: Frame,
    node: nodes.Node,
) -> Dim:
    """The size of the axis that the results of `vmap` get."""
    asked = function.option("axis_size")
    length: Dim = UNKNOWN_DIM
    if isinstance(asked, Constant) and isinstance(asked.value, int):
        length = asked.value
    return common_length(machine, CHECKS_AXES, mapped, length, frame, node)


def _unless_number(value: Value) -> Value:
    return UNKNOWN if is_number(value) else value


def _axes_of_results(function: Transformed) -> Value | None:
    """Where the results get the new axis: a number, None, or a tree of such; no value where each
    gets one, and it is not known where.
    """
    if function.name != CHECKS_AXES:
        return None
    return function.option("out_axes") or Constant(0)


def _new_axis(length: Dim, along: Value | None) -> NewAxis:
    known = along.value if isinstance(along, Constant) else None
    return NewAxis(length, known if isinstance(known, int) else None)


def _perhaps_mapped(signature: Signature, position: int, value: Value, entry: TraceEntry) -> Value:
    """Returns an argument whose axes are an unknown value: the caller had a reason to pass it, so
    some leaf of it is probably mapped.
    """
    origin = origin_of_parameter(signature, signature.parameter(position), entry)
    if origin is None or not isinstance(value, Unknown | Tree):
        return UNKNOWN
    return Tree(
        Place.ABSTRACT,
        entry.trace.level,
        replace(origin, doubt="which axes are mapped is not known"),
    )


def _unmapped(machine: Machine, function: Transformed) -> frozenset[int | str] | None:
    """The positions and names that are not mapped whatever `in_axes` says: those that `vectorize`
    leaves out, and the static ones of `pmap`. None where they are not known.
    """
    if function.name != EXCLUDES_ARGUMENTS:
        static = positions_in(function.option("static_broadcasted_argnums"))
        return None if static is None else frozenset(static)
    option = function.option("excluded")
    if option is None or option == NONE:
        return frozenset()
    content = machine.read(option, CONTENT) if isinstance(option, HeapObject) else option
    elements = content.elements if isinstance(content, TupleValue | Items) else None
    if elements is None:
        return None
    known = [e.value for e in elements if isinstance(e, Constant)]
    return frozenset(value for value in known if isinstance(value, int | str))


def _is_scalar(value: Value) -> bool:
    """Whether `vectorize` has nothing to map over in an argument."""
    if isinstance(value, Array):
        return value.aval.shape == ()
    return isinstance(value, Constant | Scalar)


def _taken(
    function: Transformed,
    arguments: Arguments,
    unmapped: frozenset[int | str] | None,
    frame: Frame,
    node: nodes.Node,
) -> tuple[Value, ...]:
    """The positional arguments as they are mapped over: `vectorize` makes an array of a sequence,
    where a map takes it for a tree of arrays.
    """
    if function.name != EXCLUDES_ARGUMENTS or unmapped is None:
        return arguments.positional
    return tuple(
        new_array(None, (value,), frame, node)
        if position not in unmapped and _is_sequence(value)
        else value
        for position, value in enumerate(arguments.positional)
    )


def _is_sequence(value: Value) -> bool:
    return isinstance(value, TupleValue) or (isinstance(value, HeapObject) and value.kind == "list")


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
    """An argument whose `in_axes` is a tree of its own: which leaves are mapped is looked up where
    both are known.
    """
    if isinstance(axis, Entries):
        return _mapped_entries(machine, value, axis, entry)
    if (
        isinstance(axis, TupleValue | Items)
        and isinstance(value, TupleValue)
        and axis.elements is not None
        and value.elements is not None
        and len(axis.elements) == len(value.elements)
    ):
        parts = [
            _without_axis(machine, item, a, entry)
            for item, a in zip(value.elements, axis.elements, strict=True)
        ]
        return TupleValue(tuple(parts), UNKNOWN, value.cls)
    return UNKNOWN


def _mapped_entries(machine: Machine, value: Value, axes: Entries, entry: TraceEntry) -> Value:
    """A dict whose `in_axes` is a dict."""
    passed = entries_of(machine, value)
    keys = {key for key, _ in axes.known}
    if (passed.rest, axes.rest) != (None, None) or {key for key, _ in passed.known} != keys:
        return UNKNOWN
    parts = tuple(
        (key, _without_axis(machine, item, axes.get(key) or UNKNOWN, entry))
        for key, item in passed.known
    )
    return make_dict(machine, Entries(parts), entry.frame)


def _without_axis(machine: Machine, item: Value, axis: Value, entry: TraceEntry) -> Value:
    if axis == NONE:
        return made_inside(machine, item, entry.trace.level, entry.frame, entry.node)
    if not isinstance(axis, Constant | Scalar):
        return _partly_mapped(machine, item, axis, entry)
    along = axis.value if isinstance(axis, Constant) else None
    known = along if isinstance(along, int) else None
    return lift_argument(
        machine, item, entry, None, None, drop_axis=known, forget_shape=known is None
    )
