"""Builtins about numbers: conversions, `sum`, `min` and `max`."""

import itertools
import math
from typing import Literal

from oakum import dtypes
from oakum.dtypes import Kind
from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import ShapedArray
from oakum.values.records import replace
from oakum_lint.arrays.array_results import new_array
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join_all
from oakum_lint.domain.moments import compute_for_each
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Constant,
    HeapObject,
    Items,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Value,
    is_jax_array,
    scalar_kind,
)
from oakum_lint.python.expressions.comparisons import compare
from oakum_lint.python.expressions.conditions import decide
from oakum_lint.python.expressions.failures import note_lacking
from oakum_lint.python.expressions.operators import MAX_INTEGER, binary, call_special, negate
from oakum_lint.python.expressions.truth import builtin_asks, check_truth
from oakum_lint.python.objects.containers import iterate
from oakum_lint.syntax import nodes

MAX_TERMS = 16
"""So many terms of a sum are added one by one."""
MAX_DIGITS = 64
"""Longer texts are not asked whether they are numbers."""
INFINITIES = ("inf", "-inf", "infinity", "-infinity")
NumberKind = Literal["int", "float", "bool", "complex"]
NUMBERS: dict[NumberKind, type[int | float | bool | complex]] = {
    "int": int,
    "float": float,
    "bool": bool,
    "complex": complex,
}


def _number(kind: NumberKind) -> LibraryCall:

    def convert(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        value = arguments.get(0)
        if isinstance(value, HeapObject) and value.kind == "instance":
            found = call_special(machine, value, f"__{kind}__", (), node, frame)
            if found is None and kind != "bool":
                asked = (f"__{kind}__", "__index__", "__trunc__", "__float__")
                note_lacking(machine, value, asked, frame, node)
            return Scalar(kind) if found is None else found
        is_only = len(arguments.positional) == 1 and not arguments.keywords  # `complex(1, 2)`
        if isinstance(value, Constant) and isinstance(value.value, bool | int | float) and is_only:
            return _converted(kind, value.value)
        if kind == "float" and isinstance(value, Constant) and value.value in INFINITIES:
            return Constant(float(str(value.value)))
        if isinstance(value, Constant) and is_only and _has_no_number(kind, value.value):
            note_stop(machine, frame, node)
        if isinstance(value, Array):
            _check_scalar(machine, value, kind, arguments, frame, node)
        if kind == "bool" and value is not None:
            truth = decide(machine, value)
            return BOOL if truth is None else Constant(truth)
        return Scalar(kind)

    return convert


def _has_no_number(kind: NumberKind, held: object) -> bool:
    """Whether `int("abc")` and its kin raise."""
    if kind == "bool" or not isinstance(held, str) or len(held) > MAX_DIGITS:
        return kind != "bool" and held is None
    try:
        NUMBERS[kind](held)
    except ValueError:
        return True
    return False


def _converted(kind: NumberKind, number: int | float) -> Value:
    """`int(number)` and its kin. An integer of a large float has hundreds of digits."""
    try:
        made = NUMBERS[kind](number)
    except (ValueError, OverflowError):
        return UNKNOWN
    return INT if isinstance(made, int) and abs(made) >= MAX_INTEGER else Constant(made)


def _check_scalar(
    machine: Machine,
    value: Array,
    kind: NumberKind,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports an array with axes that is made a number of, where it has a value."""
    if kind == "bool":
        check_truth(machine, value, kind, frame, arguments.place(0, "", node))
    elif is_jax_array(value) and value.place is not Place.ABSTRACT and value.aval.shape:
        error = ShapeError(
            f"{value.aval} has axes, and only a scalar makes a Python number",
            hint="Take one element, reduce it to a scalar, or use .tolist().",
        )
        report(machine, error, kind, ((value, arguments.place(0, "", node)),), frame, node)
    elif value.place is Place.HOST and dims.less(1, value.aval.size):
        note_stop(machine, frame, node)


def _abs(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    match arguments.get(0):
        case Constant(int() | float() as number):
            return Constant(abs(number))
        case Array(aval, place) as array if place is not Place.HOST:
            dtype = aval.dtype
            known = dtype is not None and dtype.kind is not Kind.COMPLEX
            real = aval if known else ShapedArray(aval.shape, None, aval.weak_type)
            return new_array(real, (array,), frame, node)
        case Array(aval) as array:
            is_real = aval.dtype is not None and aval.dtype.kind is not Kind.COMPLEX
            return array if is_real else replace(array, aval=aval.update(dtype=None))
        case Tree() as tree:
            return negate(tree)
        case Scalar("complex"):
            return FLOAT
        case Scalar("bool"):
            return INT
        case Scalar("int" | "float" | "number") as scalar:
            return scalar
        case HeapObject() as instance:
            found = call_special(machine, instance, "__abs__", (), node, frame)
            return UNKNOWN if found is None else found
        case _:
            return UNKNOWN


def _round(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    match arguments.get(0):
        case Array(aval) as array if is_jax_array(array) and len(arguments.positional) == 1:
            whole = ShapedArray(aval.shape, dtypes.canonicalize(dtypes.int64), False)
            return new_array(whole, (array,), frame, node)
        case Array() as array:
            return array
        case Constant(bool() | int() | float() as number) if len(arguments.positional) == 1:
            return _converted("int", round(number)) if math.isfinite(number) else UNKNOWN
        case Constant() | Scalar():
            return INT if len(arguments.positional) == 1 else Scalar("number")
        case _:
            return UNKNOWN


def _pow(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    base, exponent = arguments.get(0, "base"), arguments.get(1, "exp")
    if base is None or exponent is None:
        return UNKNOWN
    if (arguments.get(2, "mod") or NONE) != NONE:
        return INT
    return binary(machine, "**", base, exponent, node, frame)


def _divmod(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    left, right = arguments.get(0), arguments.get(1)
    if left is None or right is None:
        return UNKNOWN
    return TupleValue(
        tuple(binary(machine, each, left, right, node, frame) for each in ("//", "%"))
    )


def _sum(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0) or UNKNOWN
    total = arguments.get(1, "start") or Constant(0)
    items = iterate(machine, value, frame, node)
    elements = items.elements if items.elements is not None else (items.rest,)
    for element in elements[:MAX_TERMS]:
        total = binary(machine, "+", total, element, node, frame)
    if isinstance(value, Array):
        # The elements of all else were computed elsewhere.
        compute_for_each(machine, arguments.place(0, "", node), items, (total,), frame)
    certain = items.elements is not None and len(elements) <= MAX_TERMS
    return total if certain else without_value(total)


def without_value(value: Value) -> Value:
    """A number whose kind alone is certain."""
    kind = scalar_kind(value)
    return value if kind is None else Scalar(kind)


def _max(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return _extremum(machine, arguments, ">", frame, node)


def _min(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return _extremum(machine, arguments, "<", frame, node)


def _extremum(
    machine: Machine, arguments: Arguments, operator: str, frame: Frame, node: nodes.Node
) -> Value:
    """The item that compares so with every other one."""
    values = arguments.positional
    key = arguments.get(-1, "key")
    items = iterate(machine, values[0], frame, node) if len(values) == 1 else Items(values)
    if key is not None and key != NONE:
        verdicts = results_of(machine, key, items, frame, node)
        if (items.elements is None or len(items.elements) > 1) and any(
            builtin_asks(machine, v, called_name(node, frame), arguments, frame, node)
            for v in verdicts
        ):
            return UNKNOWN
        return element_of(items)
    has_default = "default" in arguments.keywords or arguments.more_keywords is not None
    if len(values) == 1 and items.elements == () and not has_default:
        note_stop(machine, frame, node)
    if len(values) == 1:
        rows = isinstance(values[0], Array) and items.elements is not None
        values = items.elements if items.elements is not None else (items.rest,)
        if (items.elements is None or (rows and len(values) > 1)) and builtin_asks(
            machine, values[0], called_name(node, frame), arguments, frame, node
        ):
            return UNKNOWN
    if compares_tracers(machine, values, operator, arguments, frame, node):
        return UNKNOWN
    if values and all(isinstance(v, Constant) and isinstance(v.value, int | float) for v in values):
        numbers = [
            v.value for v in values if isinstance(v, Constant) and isinstance(v.value, int | float)
        ]
        return Constant(max(numbers) if operator == ">" else min(numbers))
    return join_all(values)


def compares_tracers(
    machine: Machine,
    values: tuple[Value, ...],
    operator: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports objects whose own comparison returns a tracer, whose truth `min`, `max` or `sorted`
    asks for; whether there are some.
    """
    if not any(isinstance(v, HeapObject) and v.kind == "instance" for v in values):
        return False
    name = called_name(node, frame)
    for first, second in itertools.pairwise(values):
        outcome = compare(machine, operator, second, first, node, frame)
        if builtin_asks(machine, outcome, name, arguments, frame, node, holder="objects"):
            return True
        if not isinstance(outcome, Constant):
            # Which is compared with the next hangs on it.
            return False
    return False


def results_of(
    machine: Machine, function: Value, items: Items, frame: Frame, node: nodes.Node
) -> tuple[Value, ...]:
    """Returns the results of a function for each of some items, or for one of them where they are
    unknown.
    """
    elements = items.elements
    if elements is None or len(elements) > MAX_TERMS:
        elements = (element_of(items),)
    return tuple(machine.call(function, Arguments((item,)), frame, node) for item in elements)


def called_name(node: nodes.Node, frame: Frame) -> str:
    """The function of a call as the program spells it."""
    return frame.text(node.function) if isinstance(node, nodes.Call) else ""


NUMBER_CALLS: dict[str, LibraryCall] = {
    "builtins.int": _number("int"),
    "builtins.float": _number("float"),
    "builtins.bool": _number("bool"),
    "builtins.complex": _number("complex"),
    "builtins.abs": _abs,
    "builtins.round": _round,
    "builtins.divmod": _divmod,
    "builtins.pow": _pow,
    "builtins.sum": _sum,
    "builtins.min": _min,
    "builtins.max": _max,
}
