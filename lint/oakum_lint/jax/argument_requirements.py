"""What a public function needs to be known when it is traced: static arguments, data on the host,
the size of its result.
"""

from collections.abc import Mapping
from typing import Any

from oakum.values.facts import Facts, StaticUse
from oakum_lint.arrays.array_results import new_array, operands, place_of_result
from oakum_lint.domain import events
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Array, Items, Place, Tree, TupleValue, Value, is_tracer
from oakum_lint.models.operations import READS_OPERAND, is_histogram
from oakum_lint.syntax import nodes


def check_static(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports tracers passed for static parameters; whether there was one."""
    for name, use in declared.static.items():
        value = bound.get(name)
        if value is None:
            continue
        tracer = next((v for v in operands((value,)) if _forbidden(v)), None)
        if tracer is None or _may_be_traced(declared, name, value):
            continue
        place = places.get(name, node)
        if use is StaticUse.ARGUMENT:
            machine.emit(
                events.StaticArgument,
                frame,
                place,
                tracer,
                _element_place(place, value, tracer),
                function=spelled,
                parameter=name,
                by_user=False,
            )
        else:
            machine.emit(
                events.ShapeArgument,
                frame,
                place,
                tracer,
                _element_place(place, value, tracer),
                function=spelled,
                parameter=name,
            )
        return True
    return False


def _may_be_traced(declared: Facts, name: str, value: Value) -> bool:
    """Whether a parameter that is static for numbers takes this value all the same."""
    match name:
        case "bins":
            # The number of bins has to be static; their edges may be traced.
            return not (isinstance(value, Array) and value.aval.shape == ())
        case "range":
            return is_histogram(declared.name) and isinstance(value, Array | Tree)
        case "c_and_lower":
            # A factor, which may be traced, and a flag, which may not.
            elements = value.elements if isinstance(value, TupleValue) else None
            return elements is None or not _forbidden(elements[-1])
        case _:
            return False


def _forbidden(value: Value) -> bool:
    return isinstance(value, Array | Tree) and value.place is Place.ABSTRACT


def _element_place(place: nodes.Node, value: Value, tracer: Value) -> nodes.Node:
    """The element of a written-out shape that is the tracer."""
    if isinstance(place, nodes.Display) and isinstance(value, TupleValue | Items):
        for element, node in zip(value.elements or (), place.elements, strict=False):
            if element is tracer:
                return node
    return place


def check_concrete(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports tracers passed to a function that needs data on the host."""
    for name in declared.needs_concrete:
        value = bound.get(name)
        if value is None:
            continue
        tracer = next((v for v in operands((value,)) if is_tracer(v)), None)
        if tracer is not None:
            machine.emit(
                events.HostCall, frame, node, tracer, places.get(name, node), function=spelled
            )
            return True
    return False


def has_dynamic_size(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    abstract: Mapping[str, Any],
    data: list[Value],
    places: Mapping[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports a result whose size depends on the values of a tracer; whether it is one."""
    dynamic = declared.dynamic_size
    if dynamic is None or not dynamic.applies(abstract):
        return False
    names = [name for name in dynamic.operands if name in bound] or [*bound]
    deciding = [bound[name] for name in dynamic.operands if name in bound] or data
    place, _ = place_of_result(deciding, frame)
    tracer = next((v for v in operands(deciding) if is_tracer(v)), None)
    # In a staged trace constants are staged too, but for operands read as NumPy arrays.
    if place is not Place.ABSTRACT or (declared.name in READS_OPERAND and tracer is None):
        return False
    held = (name for name in names if any(v is tracer for v in operands((bound[name],))))
    named = next(held, next(iter(names), ""))
    machine.emit(
        events.DynamicSize,
        frame,
        node,
        tracer or new_array(None, data, frame, node),
        places.get(named, node),
        function=spelled,
        size_parameter=dynamic.parameter,
    )
    return True
