"""Calls of NumPy and SciPy, by the measured table of what they do with a tracer."""

from typing import cast

from oakum.values.avals import ShapedArray
from oakum.values.facts import Facts
from oakum_lint.arrays.argument_uses import HARMLESS, failing_tracer, tracer_inside
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, array_method, new_array, operands
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import read_elements
from oakum_lint.domain.names import spelling
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    LibraryObject,
    Place,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_tracer,
)
from oakum_lint.jax.methods import note_conversion, receiver_node
from oakum_lint.libraries.host_shapes import answer_on_host, drawn, host_array
from oakum_lint.libraries.solver_calls import call_handed
from oakum_lint.models.attributes import NUMPY_METHODS
from oakum_lint.models.dtypes import DTYPE_NAMES
from oakum_lint.models.host.numpy import (
    CONVERSIONS,
    NumpyFacts,
    may_return_several,
    numpy_facts,
    returns_list,
)
from oakum_lint.models.host.objects import NUMPY_OBJECTS
from oakum_lint.models.packages import in_numpy, jax_name, numpy_name
from oakum_lint.python.expressions.narrowing import forget_shape
from oakum_lint.python.objects.containers import make_list
from oakum_lint.python.stdlib.tolist import list_numbers
from oakum_lint.syntax import nodes


def call_numpy(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a NumPy or SciPy function, or a NumPy scalar type."""
    facts = numpy_facts(path)
    made = LibraryObject(NUMPY_OBJECTS[path], frame.level) if path in NUMPY_OBJECTS else UNKNOWN
    if facts is None:
        return made
    if not facts.asks:
        read_elements(machine, arguments.all_values(), frame, node)
    spelled = spelling(node, path, frame)
    if check_numpy(machine, facts, arguments, frame, node, spelled):
        return UNKNOWN
    if made is not UNKNOWN:
        return made
    call_handed(machine, path, arguments, frame, node, spelled)
    if any(
        isinstance(value, Tree) and (taken := facts.parameter(at)) is not None and taken.lenient
        for at, value in enumerate(arguments.positional)
    ):
        # It fails on a tracer; what it returns of another leaf is none.
        return UNKNOWN
    if any(is_tracer(value) for value in arguments.all_values()):
        return _accepted(machine, path, facts, arguments, frame, node)
    return _host_result(machine, path, facts, arguments, frame, node)


def check_numpy(
    machine: Machine,
    facts: NumpyFacts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    spelled: str,
    offset: int = 0,
) -> bool:
    """Reports the first tracer that the function cannot take; whether there was one."""
    passed: list[tuple[int | str, Value]] = [*enumerate(arguments.positional)]
    passed.extend(arguments.keywords.items())
    for where, value in passed:
        parameter = facts.parameter(where + offset if isinstance(where, int) else where)
        if parameter is None:
            continue
        if isinstance(value, Tree) and parameter.lenient:
            continue
        use = parameter.use
        tracer = failing_tracer(machine, value, use, parameter.concrete)
        if tracer is None and parameter.inside not in HARMLESS:
            use = parameter.inside
            tracer = tracer_inside(machine, value, use)
        if tracer is None:
            continue
        place = arguments.place(where if isinstance(where, int) else -1, str(where), node)
        if facts.host:
            machine.emit(events.HostCall, frame, node, tracer, place, function=spelled)
        elif use == "index":
            machine.emit(events.RangeUse, frame, place, tracer, place, function=spelled)
        else:
            machine.emit(
                events.NumpyCall,
                frame,
                node,
                tracer,
                place,
                function=spelled,
                replacement=facts.replacement,
            )
        return True
    return _check_in_place(machine, facts, arguments, frame, node, spelled)


def _check_in_place(
    machine: Machine,
    facts: NumpyFacts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    spelled: str,
) -> bool:
    """A function that writes its first argument cannot write a JAX array."""
    target = arguments.get(0)
    if facts.in_place and isinstance(target, Array) and target.place in (Place.DEVICE, Place.ANY):
        machine.emit(
            events.ItemAssignment,
            frame,
            node,
            target,
            arguments.place(0, "", node),
            container=frame.text(arguments.place(0, "", node)),
            index="...",
            operator=spelled,
            target_is_numpy=False,
        )
        return True
    return False


def _accepted(
    machine: Machine,
    path: str,
    facts: NumpyFacts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The result of a function that takes tracers."""
    match facts.traced:
        case "tracer":
            return new_array(None, arguments.all_values(), frame, node)
        case "tuple":
            array = new_array(None, arguments.all_values(), frame, node)
            return _several(machine, path, array, frame)
        case _ if facts.result == "static":
            return _static_result(machine, path, arguments, frame, node)
        case _:
            return UNKNOWN


def _host_result(
    machine: Machine,
    path: str,
    facts: NumpyFacts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The result on host data: the shape by the rule of JAX's function of that name."""
    values = operands(arguments.all_values())
    # A tree or a value that is not known may be a tracer or an object with a method of its own.
    if any(isinstance(value, Tree) for value in values):
        return UNKNOWN
    first = arguments.get(0)
    if arguments.positional and isinstance(first, Unknown) and facts.traced != "unknown":
        made_of_all = path in CONVERSIONS and "dtype" not in arguments.keywords
        return Array(UNKNOWN_ARRAY, Place.HOST) if made_of_all else UNKNOWN
    other = _other_result(machine, path, facts, arguments, frame, node)
    if other is not None:
        return other
    name = path.rpartition(".")[2]
    if path == numpy_name(name) and name in DTYPE_NAMES:
        return Array(ShapedArray((), None, False), Place.HOST)
    match facts.result:
        case "array":
            found = drawn(machine, facts, path, arguments)
            if found is not None:
                return found
            return host_array(machine, _jax_function(machine, path), arguments, frame, node)
        case "tuple":
            return _several(machine, path, Array(UNKNOWN_ARRAY, Place.HOST), frame)
        case "none":
            return NONE
        case "static":
            return _static_result(machine, path, arguments, frame, node)
        case _:
            return UNKNOWN


def _other_result(
    machine: Machine,
    path: str,
    facts: NumpyFacts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value | None:
    """The result where it is not what the table says: by an option several arrays; by a method of
    the argument, to which the work is handed, arrays of JAX for one, and Unknown for what may be
    one.
    """
    count = len(arguments.positional) + len(arguments.keywords)
    if facts.result == "array" and may_return_several(path, count, arguments.keywords):
        return UNKNOWN
    first, taken = arguments.get(0), facts.parameter(0)
    if taken is None or "ok" not in (taken.use, taken.concrete):
        return None
    match first, facts.result:
        case Array(place=Place.ANY), "array" | "tuple":
            return UNKNOWN
        case Choice(options), "array" | "tuple" if any(
            isinstance(each, Array) and each.place is not Place.HOST for each in options
        ):
            return UNKNOWN
        case Array(place=Place.DEVICE), "array" | "tuple" if taken.concrete != "ok":
            return UNKNOWN
        case Array(place=Place.DEVICE), "tuple":
            return _several(machine, path, new_array(None, (first,), frame, node), frame)
        case Array(place=Place.DEVICE), "array" if taken.use == "ok":
            made = host_array(machine, _jax_function(machine, path), arguments, frame, node)
            aval = made.aval if isinstance(made, Array) else None
            return new_array(aval, (first,), frame, node)
        case _:
            return None


def _several(machine: Machine, path: str, array: Array, frame: Frame) -> Value:
    """Arrays of which it is not known how many there are, in a tuple or a list."""
    if returns_list(path):
        return make_list(machine, None, array, frame)
    return TupleValue(None, array)


def _jax_function(machine: Machine, path: str) -> Facts | None:
    """The function of JAX of the same name."""
    return machine.public(jax_name(path)) if in_numpy(path) else None


def _static_result(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    declared = machine.public(jax_name(path))
    if declared is None or not declared.static_result:
        return UNKNOWN
    result: object = answer_on_host(machine, declared, arguments, frame, node)
    match result:
        case bool() | int() | float():
            return Constant(result)
        case tuple():
            items = cast("tuple[object, ...]", result)
            if all(isinstance(item, int) for item in items):
                return TupleValue(tuple(Constant(item) for item in items))
            return UNKNOWN
        case _:
            return UNKNOWN


def host_method(
    machine: Machine, array: Array, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    facts = numpy_facts(f"{NUMPY_METHODS}.{name}")
    note_conversion(machine, array, name, arguments, frame, node)
    if facts is not None:
        receiver = receiver_node(node)
        if name == "resize":
            forget_shape(machine, receiver, frame)
        text = frame.text(receiver)
        if check_numpy(machine, facts, arguments, frame, node, f"{text}.{name}"):
            return UNKNOWN
        if name == "tolist":
            return list_numbers(machine, array.aval, frame)
        if facts.result == "none":
            return NONE
        if facts.result in ("array", "scalar"):
            declared = array_method(name)
            return host_array(machine, declared, arguments.prepended(array), frame, node)
    return UNKNOWN
