"""Checks of arguments against the measured models: which use of a tracer fails, and as what
event.
"""

from oakum.values.records import replace
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of
from oakum_lint.domain.values import NONE, Array, HeapObject, Items, Place, Tree, TupleValue, Value
from oakum_lint.models.parameter import CallFacts, Use
from oakum_lint.syntax import nodes

CERTAIN_FOR_TREES = frozenset({"int", "float", "complex", "index", "array", "item"})
"""Uses that fail for a traced leaf and for a container of leaves alike."""
HARMLESS = frozenset({"ok", "iteration", "unknown"})
_MAY_HOLD_TRACERS = frozenset({Array, Tree, TupleValue, Items, HeapObject})


def compares(use: Use) -> bool:
    """Whether a use asks for the truth of a comparison, which is an operation."""
    return use == "compare"


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


ADVANCED = frozenset({"iterator", "generator"})
"""Objects whose items are asked for one after the other."""


def tracer_inside(machine: Machine, value: Value, use: Use) -> Array | None:
    """An abstract tracer among the elements of a list or tuple, and where arrays are built of it
    deeper too.
    """
    places = (Place.ABSTRACT, Place.CONCRETE) if use == "array" else (Place.ABSTRACT,)
    stack: list[Value] = [value]
    outermost = True
    asked = use == "compare" and isinstance(value, HeapObject) and value.kind in ADVANCED
    is_generator = isinstance(value, HeapObject) and value.kind == "generator"
    while stack:
        part = stack.pop()
        if isinstance(part, HeapObject) and (part.kind == "list" or (asked and outermost)):
            part = content_of(machine, part)
        if isinstance(part, TupleValue | Items) and (outermost or use == "array"):
            if use == "compare" and part.elements is not None and len(part.elements) < 2:
                # There is nothing to compare a single element with.
                return None
            elements = part.elements if part.elements is not None else (part.rest,)
            # Asked one after another, until one decides: only the first is certainly asked.
            stack.extend(elements[:1] if use == "bool" else elements)
        elif isinstance(part, Array) and not outermost and part.place in places:
            return _doubtful(part) if is_generator else part
        outermost = False
    return None


FEWER_ITEMS = "the generator may yield no such item"


def _doubtful(tracer: Array) -> Array:
    """One of the items of a generator, which may yield a single one."""
    origin = tracer.origin
    return tracer if origin is None else replace(tracer, origin=replace(origin, doubt=FEWER_ITEMS))


def check_arguments(
    machine: Machine,
    facts: CallFacts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    spelled: str,
) -> bool:
    """Reports the first argument whose use fails; whether there was one."""
    passed: list[tuple[int | str, Value]] = [*enumerate(arguments.positional)]
    passed.extend(arguments.keywords.items())
    for where, value in passed:
        if value.__class__ not in _MAY_HOLD_TRACERS:
            continue
        parameter = facts.parameter(where)
        if parameter is None:
            continue
        place = (
            arguments.place(where, "", node)
            if isinstance(where, int)
            else arguments.place(-1, where, node)
        )
        by_key = arguments.keywords.get("key", NONE) != NONE
        if by_key and "compare" in (parameter.use, parameter.inside):
            # What is compared is what the key function returns.
            continue
        if isinstance(value, Tree) and parameter.lenient:
            continue
        # In a staged trace what is done with a tracer is staged, also if it has a value itself.
        concrete = parameter.use if frame.staged_level and compares(parameter.use) else None
        tracer = failing_tracer(machine, value, parameter.use, concrete or parameter.concrete)
        use = parameter.use
        holder: events.Holder = "array"
        if tracer is None and parameter.inside not in HARMLESS:
            tracer = tracer_inside(machine, value, parameter.inside)
            use = parameter.inside
            holder = holder_of(value)
        if tracer is not None:
            _emit_use(machine, use, tracer, frame, node, place, spelled, holder)
            return True
    return False


def holder_of(value: Value) -> events.Holder:
    """Returns what a value is to its items: a generator is no sequence, and no array is made of it
    before it is a list.
    """
    match value:
        case Array() | Tree():
            return "array"
        case TupleValue() | HeapObject(kind="list"):
            return "sequence"
        case _:
            return "iterable"


def _emit_use(
    machine: Machine,
    use: Use,
    value: Value,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
    spelled: str,
    holder: events.Holder,
) -> None:
    """The event of one failing use by a function of Python."""
    match use:
        case "bool" | "compare" if spelled != "bool":
            machine.emit(
                events.BooleanUse, frame, node, value, place, construct=spelled, holder=holder
            )
        case "index":
            machine.emit(events.RangeUse, frame, place, value, place, function=spelled)
        case "hash":
            machine.emit(events.HashUse, frame, node, value, place, construct=spelled)
        case "format":
            machine.emit(events.FormatUse, frame, node, value, place, construct=spelled, spec="")
        case _:
            machine.emit(events.ScalarConversion, frame, place, value, place, function=spelled)
