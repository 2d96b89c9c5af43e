"""Calls of JAX's public functions, by their own declarations (`oakum.facts`)."""

from collections.abc import Mapping
from typing import Any, cast

from oakum import facts as declarations
from oakum.avals import ShapedArray
from oakum.facts import Facts, StaticUse
from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.bounds import check_take
from oakum_lint.interp.donation import check_alive
from oakum_lint.interp.edges import mark_edge
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.keys import consume_keys, name_key
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.narrowing import refine
from oakum_lint.interp.pytrees import map_leaves
from oakum_lint.interp.results import (
    from_abstract,
    new_array,
    operands,
    place_of_result,
    run_rule,
    to_abstract,
)
from oakum_lint.interp.sequences import check_sequences
from oakum_lint.interp.values import (
    UNKNOWN,
    Array,
    Constant,
    External,
    HeapObject,
    Items,
    Place,
    Tree,
    TupleValue,
    Value,
    is_tracer,
)
from oakum_lint.interp.wide_dtypes import check_dtype

Bound = dict[str, Value]


def call_public(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls a public function: checks what must be concrete, then asks its abstract rule for the
    result.
    """
    spelled = spelling(node, path, frame)
    arguments = settle(machine, arguments)
    places = argument_places(declared, arguments, node)
    bound = bind_values(declared, arguments)
    if bound is None:
        return UNKNOWN
    checks = (check_static, check_concrete, check_sequences)
    if any(check(machine, declared, bound, places, spelled, frame, node) for check in checks):
        return UNKNOWN
    if declared.gives:
        return External(f"jax.{declared.gives}")
    # What tells nothing of its elements may be asked of a deleted array, too.
    read = () if declared.rule is None else bound.values()
    check_alive(machine, read, frame, node)
    if declared.consumes_keys:
        consume_keys(machine, declared, bound, places, frame, node)
    abstract = {name: to_abstract(value) for name, value in bound.items()}
    data = [value for name, value in bound.items() if name not in declared.static]
    if _has_dynamic_size(machine, declared, bound, abstract, data, places, spelled, frame, node):
        return UNKNOWN
    if declared.name in LEAFWISE:
        value = next(iter(bound.values()), UNKNOWN)
        return _leaf_by_leaf(machine, value, frame, node, flat=declared.zero_derivative)
    result = run_rule(declared, abstract)
    if declared.static_result:
        return from_abstract(result, (), frame, None)
    if isinstance(result, ShapedArray):
        _look_at_values(machine, declared, bound, places, spelled, frame, node)
    value = from_abstract(result, data, frame, node, flat=declared.zero_derivative)
    if declared.makes_keys:
        value = name_key(machine, value, frame)
    return mark_edge(machine, declared, bound, places, value, spelled, frame, node)


def _has_dynamic_size(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    abstract: Mapping[str, Any],
    data: list[Value],
    places: dict[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports a result whose size depends on the values of a tracer; whether it is one."""
    if declared.dynamic_size is None or not declared.dynamic_size(abstract):
        return False
    deciding = [bound[name] for name in declared.size_operands if name in bound] or data
    place, _ = place_of_result(deciding, frame)
    tracer = next((v for v in operands(deciding) if is_tracer(v)), None)
    # In a staged trace constants are staged too, but for operands read as NumPy arrays.
    if place is not Place.ABSTRACT or (declared.name in READ_AT_ONCE and tracer is None):
        return False
    tracer = tracer or new_array(None, data, frame, node)
    machine.emit(
        events.DynamicSize,
        frame,
        node,
        tracer,
        places.get(next(iter(bound), ""), node),
        function=spelled,
        size_parameter=declared.size_parameter or "",
    )
    return True


def _look_at_values(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: dict[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """What goes wrong in silence in a call that gives an array, and what the call tells."""
    check_dtype(machine, bound, places, spelled, frame, node)
    if declared.name == "numpy.take":
        check_take(machine, bound, frame, node, places)
    _refine_operands(machine, declared, bound, places, frame)


READ_AT_ONCE = frozenset({"numpy.repeat", "numpy.delete"})
"""Functions of dynamic size that read a constant deciding operand without staging it."""
LEAFWISE = frozenset(
    {
        "lax.psum",
        "lax.pmean",
        "lax.pmax",
        "lax.pmin",
        "lax.ppermute",
        "lax.pshuffle",
        "lax.pswapaxes",
        "lax.stop_gradient",
        "lax.optimization_barrier",
        "lax.pcast",
        "lax.pvary",
        "device_put",
        "block_until_ready",
        "device_put_sharded",
        "lax.with_sharding_constraint",
    }
)
"""Functions of trees that give, for each leaf, an array of the same shape and dtype."""


def _leaf_by_leaf(
    machine: Machine, value: Value, frame: Frame, node: nodes.Node, *, flat: bool
) -> Value:
    def leaf(item: Value) -> Value:
        if isinstance(item, Array):
            return new_array(item.aval, (item,), frame, node, flat=flat)
        return item if isinstance(item, Tree) else UNKNOWN

    return map_leaves(machine, value, leaf, frame.level, frame, node)


def spelling(node: nodes.Node, path: str, frame: Frame) -> str:
    """The function as the user wrote it."""
    if isinstance(node, nodes.Call):
        text = " ".join(frame.text(node.function).split())
        if len(text) <= 40:
            return text
    return path


def settle(machine: Machine, arguments: Arguments) -> Arguments:
    """The same arguments with lists as the tuples that they are now: a rule sees content, not
    objects.
    """
    if not any(isinstance(value, HeapObject) for value in arguments.all_values()):
        return arguments
    return Arguments(
        tuple(content_value(machine, value) for value in arguments.positional),
        {name: content_value(machine, value) for name, value in arguments.keywords.items()},
        arguments.more,
        arguments.more_keywords,
        arguments.places,
        arguments.keyword_places,
    )


def content_value(machine: Machine, value: Value, depth: int = 3) -> Value:
    """A list as its content, nested lists too."""
    match value:
        case HeapObject(kind="list" | "dict"):
            content = machine.read(value, "*")
            if content is None:
                return UNKNOWN
            return content if depth == 0 else content_value(machine, content, depth - 1)
        case TupleValue(elements, rest, cls) if elements is not None and depth:
            return TupleValue(
                tuple(content_value(machine, e, depth - 1) for e in elements), rest, cls
            )
        case Items(elements, rest) if elements is not None and depth:
            return Items(tuple(content_value(machine, e, depth - 1) for e in elements), rest)
        case _:
            return value


def bind_values(declared: Facts, arguments: Arguments) -> Bound | None:
    """The values of the parameters, defaults included; None when the call is not known well
    enough.
    """
    bound = declarations.bind(
        declared,
        arguments.positional,
        arguments.keywords,
        more_positional=arguments.more is not None,
        more_keywords=arguments.more_keywords is not None,
    )
    if not isinstance(bound, dict):
        return None
    return {name: _as_value(value) for name, value in bound.items()}


def _as_value(value: Any) -> Value:
    if isinstance(value, Value):
        return value
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        return TupleValue(tuple(_as_value(item) for item in items))
    if value is None or isinstance(value, bool | int | float | str):
        return Constant(value)
    return UNKNOWN


def argument_places(
    declared: Facts, arguments: Arguments, node: nodes.Node
) -> dict[str, nodes.Node]:
    """Where the argument of each parameter stands in the program."""
    names = [
        parameter.name
        for parameter in declared.signature.parameters.values()
        if parameter.kind
        in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.VAR_POSITIONAL)
    ]
    places: dict[str, nodes.Node] = {}
    for position, place in enumerate(arguments.places):
        name = names[position] if position < len(names) else (names[-1] if names else "")
        places.setdefault(name, place)
    places.update(arguments.keyword_places)
    return places


def check_static(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: dict[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports tracers given for static parameters; whether there was one."""
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
            return declared.name.startswith("numpy.histogram") and isinstance(value, Array | Tree)
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
    bound: Bound,
    places: dict[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports tracers given to a function that needs data on the host."""
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


SEQUENCES = frozenset({"arrays", "arys", "tup", "seq", "operands", "arr_list", "tree"})
"""Parameters that take a sequence of arrays: a traced tree given for one need not be an array."""


def _refine_operands(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: dict[str, nodes.Node],
    frame: Frame,
) -> None:
    """A traced tree that is an operand of an array function is an array."""
    if not declared.name.startswith(("numpy.", "nn.", "lax.")):
        return
    for name, value in bound.items():
        place = places.get(name)
        if isinstance(value, Tree) and name not in SEQUENCES and place is not None:
            refine(machine, place, value, frame)
