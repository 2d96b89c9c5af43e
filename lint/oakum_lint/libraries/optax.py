"""Optax: gradient transformations as the pairs of functions that they are.

A transformation written in the project is followed into its `update`; one of optax's own returns
trees like its arguments.
"""

from typing import ClassVar

from oakum import dtypes
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, field
from oakum_lint.arrays.array_results import new_array, place_of_result
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FieldValue,
    FunctionValue,
    Partial,
    Scope,
)
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    External,
    HeapObject,
    LibraryObject,
    Place,
    Tree,
    TupleValue,
    Value,
)
from oakum_lint.libraries.optax_gradients import GRADIENT_CALLS
from oakum_lint.libraries.optax_labels import check_labels, labelled_parts
from oakum_lint.libraries.optax_updates import keeps_types, update_alike
from oakum_lint.models.frameworks.optax import (
    BY_SCHEDULE,
    CHAINS,
    INIT,
    KEEPING,
    LABELLED_INIT,
    RECORDS,
    SCHEDULE,
    SCHEDULED,
    SCHEDULED_UPDATE,
    TOP,
    TRANSFORMATION,
    TRANSFORMATIONS,
    UPDATE,
    makes_schedule,
)
from oakum_lint.models.packages import optax_name
from oakum_lint.python.objects.containers import iterate
from oakum_lint.syntax import nodes


@dataclass(slots=True)
class RecordClasses:
    """Named tuples of the library, by their canonical names."""

    untracked: ClassVar = frozenset({"by_name"})
    by_name: dict[str, ClassValue] = field(default_factory=dict[str, ClassValue])


def call_optax(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value | None:
    """Calls a function of optax; None if it is not one that this module knows."""
    if path in RECORDS:
        init, update = arguments.get(0, "init"), arguments.get(1, "update")
        if init is None or update is None:
            return UNKNOWN
        machine.conventional.append((update, frame))
        return record(machine, init, update, frame)
    if path in CHAINS:
        return _make_chain(machine, arguments, frame)
    if path in LABELLED_INIT:
        check_labels(machine, LABELLED_INIT[path], arguments, frame, node)
        return _init(machine, arguments, frame, node)
    run = METHODS.get(path)
    if run is not None:
        return run(machine, arguments, frame, node)
    name = optax_name(path)
    if not name:
        return None
    if makes_schedule(name):
        return LibraryObject(SCHEDULE)
    return _make_transformation(machine, name, arguments, frame)


def _make_transformation(
    machine: Machine, name: str, arguments: Arguments, frame: Frame
) -> Value | None:
    """A transformation of optax's own; it calls its schedule at each update."""
    if name not in TRANSFORMATIONS:
        return None
    labelled = labelled_parts(name, arguments)
    if labelled is not None and labelled.elements is not None:
        init = Partial(External(f"{TOP}{name}.init"), labelled.elements, ())
        return record(machine, init, External(f"{TRANSFORMATION}.update"), frame)
    rate = arguments.get(0, "learning_rate") if name in SCHEDULED else None
    if name == BY_SCHEDULE:
        rate = arguments.get(0, "step_size_fn")
    if not isinstance(rate, FunctionValue | BoundMethod | Partial | HeapObject):
        return LibraryObject(KEEPING if keeps_types(name, arguments) else TRANSFORMATION)
    # Whoever updates with it compiles that.
    machine.conventional.append((rate, frame))
    init, update = (
        External(f"{TRANSFORMATION}.init"),
        Partial(External(SCHEDULED_UPDATE), (rate,), ()),
    )
    return record(machine, init, update, frame)


def _update_by_schedule(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Updates with a learning rate of the project's own: the count that it is called with is a part
    of the state.
    """
    state = arguments.get(2, "state")
    place, level = place_of_result((UNKNOWN if state is None else state,), frame)
    count = Array(ShapedArray((), dtypes.find("int32")), place, level)
    machine.call(arguments.positional[0], Arguments((count,)), frame, node)
    return _update(machine, arguments, frame, node)


def _make_chain(machine: Machine, arguments: Arguments, frame: Frame) -> Value:
    """`optax.chain(*parts)`: a transformation whose functions run those of its parts."""
    if arguments.more is not None:
        return LibraryObject(TRANSFORMATION)
    parts = TupleValue(arguments.positional)
    init, update = (Partial(External(path), (parts,), ()) for path in (INIT, UPDATE))
    return record(machine, init, update, frame)


def record(machine: Machine, init: Value, update: Value, frame: Frame) -> TupleValue:
    """A `GradientTransformation(init, update)`."""
    cls = machine.state_of(RecordClasses).by_name.get(TRANSFORMATION)
    if cls is None:
        body = Scope("class", None, 0, frame.module)
        cls = ClassValue("GradientTransformation", None, body, frame.unit, frame.module, (), 0)
        cls.conventions = frozenset({"namedtuple"})
        cls.fields = (FieldValue("init", None, False), FieldValue("update", None, False))
        machine.state_of(RecordClasses).by_name[TRANSFORMATION] = cls
    return TupleValue((init, update), UNKNOWN, cls)


def _init_chain(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """Makes the states of the parts of a chain."""
    parts = arguments.positional[0]
    elements = parts.elements if isinstance(parts, TupleValue) else None
    passed = arguments.positional[1:]
    if elements is None or not passed:
        return UNKNOWN
    return TupleValue(tuple(_call_part(machine, part, 0, passed, frame, node) for part in elements))


def _run_chain(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """Runs the parts of a chain one after the other, each on its own state."""
    parts = arguments.positional[0]
    elements = parts.elements if isinstance(parts, TupleValue) else None
    passed = arguments.positional[1:]
    states: list[Value] = []
    if elements is None or not passed:
        return UNKNOWN
    updates = passed[0]
    old = iterate(machine, passed[1] if len(passed) > 1 else UNKNOWN, frame, node)
    for position, part in enumerate(elements):
        known = old.elements is not None and len(old.elements) == len(elements)
        state = old.elements[position] if known and old.elements else element_of(old)
        result = _call_part(machine, part, 1, (updates, state, *passed[2:]), frame, node)
        pair = result.elements if isinstance(result, TupleValue) else None
        updates, state = pair if pair is not None and len(pair) == 2 else (UNKNOWN, UNKNOWN)
        states.append(state)
    return TupleValue((updates, TupleValue(tuple(states))))


def _call_part(
    machine: Machine,
    part: Value,
    position: int,
    passed: tuple[Value, ...],
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls `init` (position 0) or `update` (1) of a transformation."""
    match part:
        case TupleValue(elements) if elements is not None and len(elements) == 2:
            return machine.call(elements[position], Arguments(passed), frame, node)
        case LibraryObject(path):
            name = ("init", "update")[position]
            return machine.call(External(f"{path}.{name}"), Arguments(passed), frame, node)
        case _:
            return UNKNOWN


def _init(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return _tree_like(arguments, frame)


def _update(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    tree = _tree_like(arguments, frame)
    return TupleValue((tree, tree))


def _rate(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return new_array(None, arguments.all_values(), frame, node)


def _tree_like(arguments: Arguments, frame: Frame) -> Value:
    """A tree of arrays of the same place as the arguments."""
    place, level = place_of_result(arguments.all_values(), frame)
    return Tree(place, level) if place in (Place.ABSTRACT, Place.CONCRETE) else UNKNOWN


METHODS: dict[str, LibraryCall] = {
    INIT: _init_chain,
    UPDATE: _run_chain,
    SCHEDULED_UPDATE: _update_by_schedule,
    f"{TRANSFORMATION}.init": _init,
    f"{TRANSFORMATION}.update": _update,
    f"{KEEPING}.init": _init,
    f"{KEEPING}.update": update_alike,
    SCHEDULE: _rate,
    **GRADIENT_CALLS,
}
"""The functions of transformations and schedules."""
