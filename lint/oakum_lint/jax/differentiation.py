"""Calls of functions under `grad`, `value_and_grad`, `jacfwd` and their kin."""

import itertools

from oakum import dtypes
from oakum.values.avals import ShapedArray
from oakum.values.records import replace
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, origin_of, place_of_result
from oakum_lint.arrays.graph_modules import is_graph
from oakum_lint.arrays.pytrees import leaves_of, map_leaves
from oakum_lint.arrays.trace_boundary import Lowerer, unseen_result
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Transformed
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Items,
    Scalar,
    TupleValue,
    Unknown,
    Value,
    is_tracer,
)
from oakum_lint.jax.gradient_types import aval_of, check_inputs, check_output
from oakum_lint.jax.staging import lower_result
from oakum_lint.jax.static_arguments import known_integers
from oakum_lint.jax.tracing import call_traced, lift_argument, new_trace, origin_of_parameter
from oakum_lint.models.transforms import GRADIENT_NAMES, SCALAR_GRADIENTS
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes


def call_differentiated(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a function that is differentiated by some of its arguments."""
    signature = signature_of(machine, function.function)
    argnums = function.option("argnums")
    numbers = (0,) if argnums is None else known_integers(argnums)
    name = function.name.rpartition(".")[2]
    if _check_count(machine, function, numbers or (), arguments, frame, node):
        return UNKNOWN
    if check_inputs(machine, function, numbers, arguments, frame, node):
        return UNKNOWN
    entry = new_trace(machine, function, frame, node)
    tracing = function.transform
    positional: list[Value] = []
    for position, value in enumerate(arguments.positional):
        if numbers is None:
            positional.append(UNKNOWN)
        elif position in {n if n >= 0 else n + len(arguments.positional) for n in numbers}:
            origin = origin_of_parameter(signature, signature.parameter(position), entry)
            positional.append(lift_argument(machine, value, entry, origin, tracing))
        else:
            positional.append(value)
    traced = Arguments(
        tuple(positional),
        arguments.keywords,
        arguments.more,
        arguments.more_keywords,
        arguments.places,
        arguments.keyword_places,
    )
    result = call_traced(machine, function.function, traced, entry)
    if check_output(machine, function, result, frame, node):
        return UNKNOWN
    for hears in machine.moments.differentiated:
        hears(machine, function, numbers, result, frame, node)
    handed = tuple(zip(positional, arguments.positional, strict=True))
    value = lower_result(
        machine, result, arguments, frame, node, differentiated=True, handed=handed
    )
    return _gradient(machine, function, name, value, numbers, argnums, arguments, frame, node)


def _check_count(
    machine: Machine,
    function: Transformed,
    numbers: tuple[int, ...],
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports a call with fewer positional arguments than are differentiated by; whether it is."""
    count = len(arguments.positional)
    missing = [number for number in numbers if number >= count]
    known = arguments.complete and isinstance(node, nodes.Call)
    if not missing or not known or function.name not in SCALAR_GRADIENTS:
        return False
    signature = signature_of(machine, function.function)
    names = tuple(parameter.name for parameter in signature.positional)
    machine.emit(
        events.MissingStaticArgument,
        frame,
        node,
        function,
        node,
        function=signature.name,
        option="argnums",
        parameter=str(missing[0]),
        parameters=names[:count],
    )
    note_stop(machine, frame, node)
    return True


def _gradient(
    machine: Machine,
    function: Transformed,
    name: str,
    value: Value,
    numbers: tuple[int, ...] | None,
    argnums: Value | None,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The result of a differentiated call: gradients shaped like the arguments, and the value or
    aux.
    """
    has_aux = function.option("has_aux")
    aux: Value | None = None
    if has_aux == Constant(True):
        pair = value.elements if isinstance(value, TupleValue) else None
        value, aux = (pair[0], pair[1]) if pair and len(pair) == 2 else (UNKNOWN, UNKNOWN)
    elif has_aux is not None and has_aux not in (Constant(False), NONE):
        return UNKNOWN
    if name in GRADIENT_NAMES:
        gradients = _gradients(machine, function, numbers, argnums, arguments, frame, node)
    else:
        gradients = _jacobian(machine, value, numbers, arguments, frame, node)
    if name in ("value_and_grad", "filter_value_and_grad"):
        value = _differentiated_value(value, arguments, frame, node)
        first = value if aux is None else TupleValue((value, aux))
        return TupleValue((first, gradients))
    return gradients if aux is None else TupleValue((gradients, aux))


def _differentiated_value(
    value: Value, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """The value of a function that is differentiated: a number, as an array, whatever makes it."""
    place, level = place_of_result(arguments.all_values(), frame)
    unseen = unseen_result(level, frame, node)
    if unseen is None or not isinstance(value, Unknown):
        return value
    return Array(ShapedArray((), None, None), place, level, unseen)


def _jacobian(
    machine: Machine,
    value: Value,
    numbers: tuple[int, ...] | None,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The derivatives of each element of a result by each of an argument: an array where both are
    arrays, else a tree of trees.
    """
    argument = arguments.get(numbers[0]) if numbers and len(numbers) == 1 else None
    if argument is None or aval_of(value) is None or aval_of(argument) is None:
        return UNKNOWN
    held = [leaves_of(machine, each, frame, node)[0] for each in arguments.all_values()]
    place, level = place_of_result(itertools.chain(*held), frame)
    return Array(UNKNOWN_ARRAY, place, level)


def _is_left_out(leaf: Value) -> bool:
    """Whether Equinox takes no derivative by a leaf: it is no array of floats."""
    if isinstance(leaf, Array):
        dtype = leaf.aval.dtype
        return dtype is not None and not dtypes.is_subdtype(dtype, "inexact")
    return isinstance(leaf, Constant | Scalar)


def _gradients(
    machine: Machine,
    function: Transformed,
    numbers: tuple[int, ...] | None,
    argnums: Value | None,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    held = [leaves_of(machine, value, frame, node)[0] for value in arguments.all_values()]
    place, level = place_of_result(itertools.chain(*held), frame)
    lowerer = Lowerer(place, level, None, unseen=unseen_result(level, frame, node))
    origin = replace(origin_of(node, frame), doubt="what is differentiated may be linear")

    def leaf(value: Value) -> Value:
        if function.transform.scope == "filter" and _is_left_out(value):
            return NONE
        gradient = lowerer(value)
        if isinstance(gradient, Array):
            # A custom rule gives one of a Python number that is not weak; NumPy's doubles are none
            # of JAX.
            weak = None if gradient.aval.weak_type else gradient.aval.weak_type
            dtype = gradient.aval.dtype and dtypes.canonicalize(gradient.aval.dtype)
            aval = gradient.aval.update(dtype=dtype, weak_type=weak)
            gradient = replace(gradient, aval=aval)
        if isinstance(gradient, Array):
            # Of a linear function it hangs on no argument, and is on none of their devices.
            gradient = replace(gradient, facets=())
        if isinstance(gradient, Array) and is_tracer(gradient) and level > frame.staged_level:
            # Of a linear function it is a constant, whatever the argument is.
            return replace(gradient, origin=origin)
        return gradient

    if numbers is None:
        return UNKNOWN
    parts: list[Value] = []
    for number in numbers:
        argument = arguments.get(number)
        if argument is None or (function.transform.scope == "graph" and is_graph(argument)):
            parts.append(UNKNOWN)  # of a module of NNX: its state, which is no module
            continue
        parts.append(map_leaves(machine, argument, leaf, frame.level, frame, node))
    if isinstance(argnums, TupleValue | Items):
        return TupleValue(tuple(parts))
    return parts[0] if parts else UNKNOWN
