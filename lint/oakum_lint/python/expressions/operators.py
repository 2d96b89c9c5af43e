"""Operators on abstract values."""

from collections.abc import Callable
from typing import Any

from oakum.values.avals import ShapedArray
from oakum.values.records import replace
from oakum_lint.arrays.argument_uses import tracer_inside
from oakum_lint.arrays.array_results import (
    UNKNOWN_ARRAY,
    are_default,
    is_unseen,
    new_array,
    operated,
    operator_result,
    with_unknown,
)
from oakum_lint.arrays.integer_ranges import RANGE, shifted
from oakum_lint.arrays.sequence_operands import check_operands, is_integer, sequence_kind
from oakum_lint.arrays.shape_errors import host_result
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, FunctionValue, TypeForm
from oakum_lint.domain.doubts import (
    ARRAY_OF_CALL,
    OWN_OPERATOR,
    UNKNOWN_CALL,
    UNKNOWN_LEAVES,
    UNKNOWN_OPERAND,
    note_stop,
)
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join_all
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.moments import dispatch, meet, read_elements, wait_for
from oakum_lint.domain.values import (
    BOOL,
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    External,
    HeapObject,
    Items,
    LibraryObject,
    Place,
    Scalar,
    TimeStamp,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_tracer,
    scalar_kind,
)
from oakum_lint.models.types import UNION
from oakum_lint.python.expressions.attributes import get_special
from oakum_lint.python.expressions.failures import are_apart, is_no_object, lacks_methods
from oakum_lint.python.expressions.percent_formats import format_percent
from oakum_lint.python.objects.containers import MAX_ELEMENTS, make_dict, make_list, merged
from oakum_lint.python.stdlib.clock_calls import elapsed
from oakum_lint.syntax import nodes

PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "**": lambda left, right: left**right,
    "@": lambda left, right: left @ right,
}

NUMERIC = frozenset({"int", "float", "bool", "complex", "number"})
ARRAY_ONLY = frozenset({"-", "/", "**", "@", "//"})
"""Operators that no pytree container has: an operand of one is an array."""
MAX_INTEGER = 1 << 64
"""From here on an integer is only known to be one: arithmetic on larger ones takes any time."""


def is_number(value: Value) -> bool:
    """Whether the value is a Python number."""
    return scalar_kind(value) in NUMERIC


SPECIAL = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}


def call_special(
    machine: Machine,
    owner: Value,
    name: str,
    arguments: tuple[Value, ...],
    node: nodes.Node,
    frame: Frame,
) -> Value | None:
    """Calls a special method (`__add__`) of an instance; None where its class has none."""
    method = get_special(machine, owner, name)
    if method is None:
        return None
    return machine.call(method, Arguments(arguments), frame, node)


def is_special(machine: Machine, value: Value, name: str) -> bool:
    """Whether a value is an instance, or a named tuple whose class has this special method."""
    if isinstance(value, TupleValue):
        return value.cls is not None and get_special(machine, value, f"__{name}__") is not None
    return isinstance(value, HeapObject) and value.kind == "instance"


def _instance_operation(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    name = SPECIAL.get(operator, "")
    found = call_special(machine, left, f"__{name}__", (right,), node, frame)
    if found is None:
        found = call_special(machine, right, f"__r{name}__", (left,), node, frame)
    if found is None and all(
        is_no_object(value) or lacks_methods(machine, value, (asked,))
        for value, asked in ((left, f"__{name}__"), (right, f"__r{name}__"))
    ):
        note_stop(machine, frame, node)
    return UNKNOWN if found is None else found


def _note_operands(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> None:
    """Notes what is asked of the operands of an operation, whatever comes of it."""
    read_elements(machine, (left, right), frame, node)
    meet(machine, (left, right), frame, node)
    if operator == "%" and scalar_kind(left) == "str":
        wait_for(machine, right)  # the text of an array needs its numbers


def binary(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    node: nodes.Node,
    frame: Frame,
) -> Value:
    """`left operator right`."""
    _note_operands(machine, operator, left, right, node, frame)
    if isinstance(left, Choice) or isinstance(right, Choice):
        pairs = [(a, b) for a in choices_of(left) for b in choices_of(right)]
        with frame.trying():
            results = [binary(machine, operator, a, b, node, frame) for a, b in pairs]
        return join_all(tuple(results))
    name = SPECIAL.get(operator, "")
    if is_special(machine, left, name) or is_special(machine, right, f"r{name}"):
        return _instance_operation(machine, operator, left, right, node, frame)
    match left, right:
        case (TimeStamp(), TimeStamp()) if operator == "-":
            return elapsed(machine, left, right, frame, node)
        case (LibraryObject("pathlib.Path"), _) if operator == "/":
            return left
        case (Constant(str() as text), _) if operator == "%":
            return format_percent(machine, text, right, node, frame)
        case (Array(), _) | (_, Array()):
            return _array_operation(machine, operator, left, right, node, frame)
        case (Tree(), _) | (_, Tree()):
            return _tree_operation(machine, operator, left, right, node, frame)
        case (Constant() | Scalar(), Constant() | Scalar()):
            return _plain_operation(machine, operator, left, right, node, frame)
        case _:
            if isinstance(node, nodes.BinaryOperation) and are_apart(
                PYTHON.get(operator), left, right
            ):
                note_stop(machine, frame, node, "perhaps")
            return _container_operation(machine, operator, left, right, frame)


def _container_operation(
    machine: Machine, operator: str, left: Value, right: Value, frame: Frame
) -> Value:
    """An operator on tuples, lists or dicts."""
    match left, right:
        case (TupleValue(), TupleValue()) if operator == "+":
            return _concatenate(left, right)
        case (TupleValue(), Constant(int(count))) if operator == "*" and left.elements is not None:
            if 0 <= count * len(left.elements) <= MAX_ELEMENTS:
                return TupleValue(left.elements * count)
            return TupleValue(None, element_of(left), length=max(0, count) * len(left.elements))
        case (HeapObject(kind="list"), _) | (_, HeapObject(kind="list")):
            return _list_operation(machine, operator, left, right, frame)
        case (HeapObject(kind="dict"), HeapObject(kind="dict")) if operator == "|":
            return make_dict(
                machine, merged(entries_of(machine, left), entries_of(machine, right)), frame
            )
        case (External() | ClassValue() | TypeForm(), _) | (_, External() | ClassValue()):
            return TypeForm(UNION, (left, right)) if operator == "|" else UNKNOWN
        case _:
            return UNKNOWN


def choices_of(value: Value) -> tuple[Value, ...]:
    """The values that a value may be: the options of a choice, or itself."""
    return value.options if isinstance(value, Choice) else (value,)


def _array_operation(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    array, other = (left, right) if isinstance(left, Array) else (right, left)
    jax = [v for v in (left, right) if isinstance(v, Array | Tree) and v.place is not Place.HOST]
    if other == NONE and operator != "|":
        check_operands(machine, operator, left, right, frame, node)
        note_stop(machine, frame, node)
        return UNKNOWN
    if not jax:
        return _host_operation(machine, operator, left, right, node, frame)
    is_text = scalar_kind(other) in ("str", "bytes")
    repeats = sequence_kind(other) is not None and is_integer(array)
    if operator == "*" and (is_text or repeats) and is_tracer(array):
        place = node.right if isinstance(node, nodes.BinaryOperation) else node
        if array is left and isinstance(node, nodes.BinaryOperation):
            place = node.left
        machine.emit(
            events.RangeUse, frame, place, array, place, function="repetition of a sequence"
        )
        return UNKNOWN
    if operator == "*" and is_text:
        return UNKNOWN
    if is_text:
        return Scalar("str", is_tracer(left) or is_tracer(right))
    if isinstance(other, HeapObject | TupleValue | FunctionValue | ClassValue):
        check_operands(machine, operator, left, right, frame, node)
        return UNKNOWN
    if isinstance(other, Unknown) and isinstance(left, Array) and left.place is Place.HOST:
        return UNKNOWN
    return _jax_operation(machine, operator, left, right, node, frame)


def _host_operation(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    """An operator of NumPy arrays: it makes one of a list or tuple that stands beside them."""
    for other, side in ((left, "left"), (right, "right")):
        if isinstance(other, Unknown):
            return UNKNOWN
        if scalar_kind(other) in ("str", "bytes"):
            return Scalar("str")
        tracer = tracer_inside(machine, other, "array")
        if tracer is not None:
            place = getattr(node, side, node)
            details = {"function": operator, "replacement": ""}
            machine.emit(events.NumpyCall, frame, node, tracer, place, **details)
            return UNKNOWN
    hosts = [value for value in (left, right) if isinstance(value, Array)]
    result = host_result(machine, lambda: operator_result(operator, left, right), frame, node)
    made = Array(_host_aval(result, hosts), Place.HOST)
    if scalar_kind(left) == "complex" and made.aval.shape in (None, ()):
        # A float of NumPy is one of Python, too: its complex numbers take it for an operand.
        return Choice((Scalar("complex"), made))
    return made


def _jax_operation(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    made = operated(machine, operator, left, right, frame, node, node)
    result = _as_doubted(made, operator, left, right)
    if operator == "@":
        dispatch(machine, "@", (left, right), frame)
    span = shifted(operator, left, right)
    if span is not None:
        return RANGE.put(result, span)
    return heard(machine, operator, left, right, result, frame, node)


def heard(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of an operator as the analyses that hear of it mark it."""
    for hears in machine.moments.operated:
        result = hears(machine, operator, left, right, result, frame, node)
    return result


_KEPT = (UNKNOWN_LEAVES, ARRAY_OF_CALL, UNKNOWN_CALL, OWN_OPERATOR, UNKNOWN_OPERAND)
"""Doubts that operators hand on, the one first that says the most of a result."""


def _as_doubted(made: Array, operator: str, left: Value, right: Value) -> Array:
    """What an operator makes of attributes of which it is not known whether they are traced: where
    they are numbers it is one, too, whatever trace runs. So with what is perhaps no array.
    """
    if operator == "@" and (is_unseen(left) or is_unseen(right)):
        return _doubted(made, OWN_OPERATOR)
    traced = [value for value in (left, right) if isinstance(value, Array | Tree)]
    doubts = {value.origin.doubt if value.origin is not None else "" for value in traced}
    kept = [doubt for doubt in _KEPT if doubt in doubts]
    return _doubted(made, kept[0]) if kept and doubts <= set(kept) else made


def _doubted(made: Array, doubt: str) -> Array:
    return made if made.origin is None else replace(made, origin=replace(made.origin, doubt=doubt))


ONE_KIND = frozenset({"+", "-", "/", "<", "<=", ">", ">="})
"""Operators that no text has beside a number."""


def _host_aval(result: object, operands: list[Array]) -> ShapedArray:
    """The aval of a NumPy result: the shape is by JAX's rule; NumPy's own dtype rules keep 64
    bits.
    """
    if not isinstance(result, ShapedArray):
        return UNKNOWN_ARRAY
    boolean = result.dtype is not None and result.dtype.name == "bool"
    dtypes = {array.aval.dtype for array in operands}
    dtype = result.dtype if boolean or len(dtypes) == 1 or are_default(operands) else None
    return ShapedArray(result.shape, dtype, False)


def _tree_operation(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    other = right if isinstance(left, Tree) else left
    if is_number(other) or operator in ARRAY_ONLY or isinstance(other, Array):
        if scalar_kind(other) in ("str", "bytes"):
            return UNKNOWN
        made = new_array(None, (left, right), frame, node, stages=False)
        made = _as_doubted(made, operator, left, right)
        return heard(machine, operator, left, right, made, frame, node)
    if isinstance(left, Tree) and isinstance(right, Tree):
        return left if left.level >= right.level else right
    tree = left if isinstance(left, Tree) else right
    if isinstance(other, Unknown | External) and isinstance(tree, Tree) and not tree.opaque:
        return replace(tree, origin=with_unknown(tree, frame, node))
    return UNKNOWN


def _plain_operation(
    machine: Machine,
    operator: str,
    left: Constant | Scalar,
    right: Constant | Scalar,
    node: nodes.Node,
    frame: Frame,
) -> Value:
    """An operator on numbers, texts and None."""
    found: Value | None = _scalar_operation(operator, left, right)
    if isinstance(left, Constant) and isinstance(right, Constant):
        found = _fold(operator, left.value, right.value)
    if (
        found is None
        or refuses(operator, left, right)
        or are_apart(PYTHON.get(operator), left, right)
    ):
        note_stop(machine, frame, node)
    return UNKNOWN if found is None else found


def refuses(operator: str, left: Value, right: Value) -> bool:
    """Whether Python has no such operator for numbers, texts or None beside each other."""
    if NONE in (left, right):
        return operator != "|"
    kinds = {scalar_kind(left), scalar_kind(right)}
    return operator in ONE_KIND and "str" in kinds and not kinds.isdisjoint(NUMERIC)


def _fold(operator: str, left: object, right: object) -> Value | None:
    """An operator on two known Python values, where that is cheap; None where it raises."""
    function = PYTHON.get(operator)
    cheap = False
    if isinstance(left, int | float) and isinstance(right, int | float):
        cheap = operator != "**" or (abs(left) <= 1024 and 0 <= right <= 64)
    elif isinstance(left, str) and isinstance(right, str):
        cheap = operator == "+" and len(left) + len(right) < 4096
    if function is not None and cheap:
        try:
            result: object = function(left, right)
        except (ZeroDivisionError, TypeError):
            return None
        except (ArithmeticError, ValueError):
            return UNKNOWN
        if not isinstance(result, int) or abs(result) < MAX_INTEGER:
            return Constant(result)
    return _scalar_operation(operator, Constant(left), Constant(right))


def _scalar_operation(operator: str, left: Value, right: Value) -> Value:
    kinds = {scalar_kind(left), scalar_kind(right)}
    if "str" in kinds:
        traced = any(isinstance(v, Scalar) and v.traced for v in (left, right))
        return Scalar("str", traced) if operator in ("+", "*", "%") else UNKNOWN
    if not kinds <= NUMERIC or None in kinds:
        return UNKNOWN
    if "complex" in kinds:
        return Scalar("complex")
    if operator == "/" or "float" in kinds:
        return Scalar("float")
    if kinds == {"bool"} and operator in ("&", "|", "^"):
        return BOOL
    if kinds <= {"int", "bool"}:
        # A negative power of an int is a float.
        whole = isinstance(right, Constant) and isinstance(right.value, int) and right.value >= 0
        return Scalar("number" if operator == "**" and not whole else "int")
    return Scalar("number")


def _concatenate(left: TupleValue, right: TupleValue) -> TupleValue:
    if left.elements is not None and right.elements is not None:
        elements = left.elements + right.elements
        if len(elements) <= MAX_ELEMENTS:
            return TupleValue(elements)
    first, second = (Items(part.elements, length=part.length).count for part in (left, right))
    total = None if first is None or second is None else first + second
    return TupleValue(None, join_all((element_of(left), element_of(right))), length=total)


def _list_operation(
    machine: Machine, operator: str, left: Value, right: Value, frame: Frame
) -> Value:
    if operator == "+" and isinstance(left, HeapObject) and isinstance(right, HeapObject):
        a, b = content_of(machine, left), content_of(machine, right)
        joined = _concatenate(
            TupleValue(a.elements, a.rest, length=a.length),
            TupleValue(b.elements, b.rest, length=b.length),
        )
        return make_list(machine, joined.elements, joined.rest, frame, length=joined.length)
    if operator == "*":
        items, count = (left, right) if isinstance(left, HeapObject) else (right, left)
        if not isinstance(items, HeapObject):
            return UNKNOWN
        content = content_of(machine, items)
        length = None
        if isinstance(count, Constant) and isinstance(count.value, int):
            length = None if content.count is None else max(0, count.value) * content.count
            if content.elements is not None and length is not None and length <= MAX_ELEMENTS:
                return make_list(machine, content.elements * count.value, UNKNOWN, frame)
        if is_number(count):
            return make_list(machine, None, element_of(content), frame, length=length)
    return UNKNOWN


def negate(operand: Value) -> Value:
    """`-operand` of what is no array of JAX."""
    match operand:
        case Constant(int() | float() | complex() as number):
            return Constant(-number)
        case Scalar("bool"):
            return Scalar("int")
        case Array() | Scalar():
            return operand
        case Tree(place, level, origin):
            return Array(UNKNOWN_ARRAY, place, level, origin)
        case _:
            return UNKNOWN


def invert(operand: Value) -> Value:
    """`~operand` of what is no array of JAX."""
    match operand:
        case Array():
            return operand
        case Tree(place, level, origin):
            return Array(UNKNOWN_ARRAY, place, level, origin)
        case Constant(int(number)):
            return Constant(~int(number))  # of a bool it is deprecated
        case Scalar("int" | "bool"):
            return Scalar("int")
        case _:
            return UNKNOWN
