"""Checks of arguments against the measured models: which use of a tracer fails, and as what event."""

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.containers import content_of
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.results import operands
from oakum_lint.interp.values import Array, HeapObject, Items, Place, Tree, TupleValue, Value
from oakum_lint.models.parameter import CallFacts, Use

CERTAIN_FOR_TREES = frozenset({"int", "float", "complex", "index", "array", "item"})
"""Uses that fail for a traced leaf and for a container of leaves alike."""
HARMLESS = frozenset({"ok", "iteration", "unknown"})


def failing_tracer(machine: Machine, value: Value, use: Use, concrete: Use) -> Array | Tree | None:
    """The value itself, if it is a tracer for which the use certainly fails."""
    match value:
        case Array(_, Place.ABSTRACT):
            return None if use in HARMLESS else value
        case Array(_, Place.CONCRETE):
            return None if concrete in HARMLESS else value
        case Tree(Place.ABSTRACT):
            return value if use in CERTAIN_FOR_TREES else None
        case Tree(Place.CONCRETE):
            return value if concrete in CERTAIN_FOR_TREES else None
        case _:
            return None


def tracer_inside(machine: Machine, value: Value) -> Array | None:
    """An abstract tracer among the elements of a list or tuple."""
    content: Value = value
    if isinstance(value, HeapObject) and value.kind in ("list", "set", "deque", "iterator"):
        content = content_of(machine, value)
    if not isinstance(content, TupleValue | Items):
        return None
    for part in operands((content,)):
        if isinstance(part, HeapObject) and part.kind == "list":
            found = tracer_inside(machine, part)
            if found is not None:
                return found
        if isinstance(part, Array) and part.place is Place.ABSTRACT:
            return part
    return None


def check_arguments(
    machine: Machine,
    facts: CallFacts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    spelled: str,
) -> bool:
    """Reports the first argument whose use fails; whether there was one."""
    given: list[tuple[int | str, Value]] = [*enumerate(arguments.positional)]
    given.extend(arguments.keywords.items())
    for where, value in given:
        parameter = facts.parameter(where)
        if parameter is None:
            continue
        place = (
            arguments.place(where, "", node)
            if isinstance(where, int)
            else arguments.place(-1, where, node)
        )
        tracer = failing_tracer(machine, value, parameter.use, parameter.concrete)
        use = parameter.use
        if tracer is None and parameter.inside not in HARMLESS:
            tracer = tracer_inside(machine, value)
            use = parameter.inside
        if tracer is not None:
            emit_use(machine, use, tracer, frame, node, place, spelled)
            return True
    return False


def emit_use(
    machine: Machine,
    use: Use,
    value: Value,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
    spelled: str,
) -> None:
    """The event of one failing use by a function of Python."""
    match use:
        case "bool" | "compare":
            machine.emit(events.BooleanUse, frame, node, value, place, construct=spelled)
        case "index":
            machine.emit(events.RangeUse, frame, node, value, place, function=spelled)
        case "hash":
            machine.emit(events.HashUse, frame, node, value, place, construct=spelled)
        case "format":
            machine.emit(events.FormatUse, frame, node, value, place, construct=spelled, spec="")
        case _:
            machine.emit(events.ScalarConversion, frame, node, value, place, function=spelled)
