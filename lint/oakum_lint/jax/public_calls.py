"""Calls of JAX's public functions, by their own declarations (`oakum.values.declarations`)."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, cast

from oakum.abstract import creation
from oakum.values import avals
from oakum.values.avals import PythonScalar, ShapedArray
from oakum.values.binding import bind
from oakum.values.declared_errors import ask
from oakum.values.facts import Facts
from oakum.values.records import replace
from oakum_lint.arrays.array_results import (
    from_abstract,
    new_array,
    place_of_result,
    to_abstract,
)
from oakum_lint.arrays.descriptions import DESCRIPTION
from oakum_lint.arrays.device_lists import list_devices
from oakum_lint.arrays.integer_ranges import RANGE, span_of
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.arrays.sequence_operands import check_sequences
from oakum_lint.arrays.shape_errors import Placed, answer
from oakum_lint.arrays.trace_boundary import scalar_aval
from oakum_lint.arrays.vmap_broadcasting import spread
from oakum_lint.arrays.zero_derivatives import CUT
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.doubts import PERHAPS_NOT_JAX, note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import dispatch, meet, place_on, read_elements
from oakum_lint.domain.names import spelling
from oakum_lint.domain.ranks import unranked
from oakum_lint.domain.values import (
    NONE,
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
    scalar_kind,
)
from oakum_lint.jax.argument_requirements import check_concrete, check_static, has_dynamic_size
from oakum_lint.models.operations import (
    ALL_THE_SAME,
    FORMER_KEYWORDS,
    SEQUENCE_PARAMETERS,
    computes_arrays,
)
from oakum_lint.models.packages import function_of_method, is_method, jax_name
from oakum_lint.python.expressions.narrowing import refine
from oakum_lint.python.objects.containers import make_list
from oakum_lint.syntax import nodes

Bound = dict[str, Value]
LIKENESSES = (creation.like, creation.full_like)
"""Rules of what is made in the likeness of the first argument."""


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
    arguments = arguments.renamed(FORMER_KEYWORDS.get(declared.name, ALL_THE_SAME))
    arguments = arguments if declared.leafwise else settle(machine, arguments)
    places = argument_places(declared, arguments, node)
    bound = bind_values(declared, arguments)
    if bound is None:
        return _refused(machine, declared, arguments, frame, node)
    checks = (check_static, check_concrete, check_sequences)
    if any(check(machine, declared, bound, places, spelled, frame, node) for check in checks):
        return UNKNOWN
    if declared.gives:
        return External(jax_name(declared.gives))
    # What shows nothing of its elements may be asked of a deleted array, too, or to stay there.
    stays = declared.leafwise and bound.get("device") == NONE
    # What is made in the likeness of an argument has its shape and dtype alone: it does not use it.
    used = dict([*bound.items()][declared.rule in LIKENESSES :])
    is_asked = declared.rule is None or declared.static_result
    read = () if is_asked or stays else used.values()
    read_elements(machine, read, frame, node)
    for hears in machine.moments.public_arguments:
        hears(machine, declared, bound, places, frame, node)
    abstract = {name: to_abstract(value) for name, value in bound.items()}
    if declared.spread_over:
        abstract = spread(declared, bound, abstract, frame)
    data = _operands(declared, used)
    if has_dynamic_size(machine, declared, bound, abstract, data, places, spelled, frame, node):
        return UNKNOWN
    if declared.dynamic_size is not None and place_of_result(data, frame)[0] is Place.ABSTRACT:
        _take_for_arrays(declared, abstract)
    if computes_arrays(declared.name):
        meet(machine, data, frame, node)
        if declared.edge != "linear":
            dispatch(machine, spelled, data, frame)
    given = _placed(declared, arguments, bound, places)
    value = _result(machine, declared, bound, abstract, data, places, given, spelled, frame, node)
    # A trace makes a constant of it.
    constant = declared.rule is creation.like and frame.trace is not None
    device = UNKNOWN if constant else bound.get("device", NONE)
    return value if device == NONE else place_on(machine, value, device, frame, node)


def _refused(
    machine: Machine, declared: Facts, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Notes a call that raises, as the function does not take what it gets; a method may be one of
    another object, and is one where it is not certain that it is of an array.
    """
    receiver = arguments.get(0) if is_method(declared.name) else None
    if receiver is None:
        note_stop(machine, frame, node)
    elif isinstance(receiver, Array) and not (receiver.origin and receiver.origin.doubt):
        note_stop(machine, frame, node, "perhaps")
    return UNKNOWN


def _operands(declared: Facts, used: Bound) -> list[Value]:
    """The arguments that the result is made of."""
    data = [value for name, value in used.items() if name not in declared.static]
    if is_method(declared.name):
        return data
    # Whatever it is: in a trace that is compiled a function of JAX makes a tracer of it.
    return [UNKNOWN if _may_be_host(value) else value for value in data]


def _may_be_host(value: Value) -> bool:
    origin = value.origin if isinstance(value, Array | Tree) else None
    return origin is not None and origin.doubt in PERHAPS_NOT_JAX


def _take_for_arrays(declared: Facts, abstract: dict[str, Any]) -> None:
    """Takes what is not known for arrays: with None for one of them the call would have a dynamic
    size, and fail.
    """
    for name, value in abstract.items():
        if value is avals.UNKNOWN and name not in declared.static:
            abstract[name] = avals.ANY_ARRAY


def _result(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    abstract: Mapping[str, Any],
    data: list[Value],
    places: dict[str, nodes.Node],
    given: Iterator[Placed],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Returns the result of the function, with all that is known of it."""
    if declared.leafwise:
        value = next(iter(bound.values()), UNKNOWN)
        return _leaf_by_leaf(machine, declared, value, frame, node)
    result = answer(machine, partial(ask, declared, abstract), spelled, given, frame, node)
    if declared.lists_devices:
        return list_devices(declared.name, bound)
    if declared.static_result:
        return _untraced(result, frame)
    if isinstance(result, ShapedArray):
        _look_at_values(machine, declared, bound, places, spelled, frame, node)
    flat = declared.zero_derivative
    if isinstance(result, list):
        items = cast("list[Any]", result)
        made = tuple(from_abstract(item, data, frame, node, flat=flat) for item in items)
        return make_list(machine, made, UNKNOWN, frame)
    value = _handed_through(machine, declared, bound, result) or from_abstract(
        result, data, frame, node, flat=flat
    )
    if isinstance(value, Array):
        if (known := span_of(declared.name, bound)) is not None:
            value = RANGE.put(value, known)
        for hears in machine.moments.public_result:
            value = hears(machine, declared, bound, places, value, spelled, frame, node)
    return value


def _untraced(result: Any, frame: Frame) -> Value:
    """The result of a call that tracing does not see: also what stands for an array, without its
    data.
    """
    if isinstance(result, ShapedArray):
        return DESCRIPTION.put(Array(result, Place.HOST), "without data")
    return from_abstract(result, (), frame, None)


def _handed_through(
    machine: Machine, declared: Facts, bound: Bound, result: object
) -> Value | None:
    """The argument itself, where it is what the function would make of it."""
    given = next(iter(bound.values()), UNKNOWN)
    if is_method(declared.name) and not declared.hands_through:
        # A method stands for the function of its name.
        declared = machine.public(function_of_method(declared.name)) or declared
    if not declared.hands_through or not isinstance(given, Array):
        return None
    if bound.get("copy", NONE) not in (NONE, Constant(False)):
        return None
    if not isinstance(result, ShapedArray):
        return None
    if given.place is not Place.HOST:
        if unranked(given.aval) != unranked(result):
            return None
        # `squeeze` hands an array of unknown shape through, but not its number of dimensions.
        return given if given.aval == result else replace(given, aval=result)
    unchanged = declared.hands_through == "all" and given.aval.shape == result.shape
    return Array(result, Place.DEVICE) if unchanged and result.shape is not None else None


def _look_at_values(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: dict[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports what goes wrong in silence in a call that returns an array, and notes what the call
    says about it.
    """
    for hears in machine.moments.public_call:
        hears(machine, declared, bound, places, spelled, frame, node)
    _refine_operands(machine, declared, bound, places, frame)


def _leaf_by_leaf(
    machine: Machine, declared: Facts, value: Value, frame: Frame, node: nodes.Node
) -> Value:
    flat = declared.zero_derivative

    def leaf(item: Value) -> Value:
        if declared.hands_through == "fetched":
            return _fetched(item)
        if declared.hands_through:
            return item
        if isinstance(item, Array):
            made = new_array(to_abstract(item), (item,), frame, node, flat=flat)
            cut = CUT.of(made) if flat else None
            if cut is not None and cut != CUT.of(item):
                return CUT.put(made, replace(cut, meant=True))
            return made
        kind = scalar_kind(item)
        if kind == "float" or (flat and kind in ("int", "bool")):
            # The sum of an integer over an axis is known, and stays one; `stop_gradient` is staged.
            return new_array(scalar_aval(PythonScalar(kind)), (), frame, node, flat=flat)
        return item if isinstance(item, Tree) else UNKNOWN

    return map_leaves(machine, value, leaf, frame.level, frame, node)


def _fetched(leaf: Value) -> Value:
    """A leaf on the host, if it is no tracer."""
    if isinstance(leaf, Array) and leaf.place is Place.DEVICE:
        return RANGE.put(Array(leaf.aval, Place.HOST), RANGE.of(leaf))
    maybe = isinstance(leaf, Array | Tree) and leaf.place is Place.ANY
    return UNKNOWN if maybe else leaf


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
    """The values of the parameters, defaults included; None where the call raises, as the function
    does not take what it gets.
    """
    bound = bind(
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
    # A parameter that takes many arguments, `*operands`, stands where the first of them does.
    return {**dict(zip(names, arguments.places, strict=False)), **arguments.keyword_places}


def _placed(
    declared: Facts, arguments: Arguments, bound: Bound, places: Mapping[str, nodes.Node]
) -> Iterator[Placed]:
    """Yields the arguments of a call with their places, one by one those of `*operands`."""
    for position, (name, parameter) in enumerate(declared.signature.parameters.items()):
        value = bound[name]
        elements = value.elements if isinstance(value, TupleValue) else None
        if parameter.kind is parameter.VAR_POSITIONAL and elements is not None:
            yield from zip(elements, arguments.places[position:], strict=False)
        else:
            yield value, places.get(name)


def _refine_operands(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: dict[str, nodes.Node],
    frame: Frame,
) -> None:
    """A traced tree that is an operand of an array function is an array."""
    if not computes_arrays(declared.name):
        return
    for name, value in bound.items():
        place = places.get(name)
        if isinstance(value, Tree) and name not in SEQUENCE_PARAMETERS and place is not None:
            refine(machine, place, value, frame)
