"""Operators on abstract values."""

import operator as python
import re

from oakum.avals import ShapedArray
from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.attributes import get_special
from oakum_lint.interp.containers import content_of, entries_of, make_dict, make_list, merged
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.results import UNKNOWN_ARRAY, new_array, operated, operator_result
from oakum_lint.interp.values import (
    BOOL,
    MAX_ELEMENTS,
    UNKNOWN,
    Array,
    Choice,
    ClassValue,
    Constant,
    External,
    FunctionValue,
    HeapObject,
    Items,
    ModuleValue,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
    hashed_tracer,
    is_tracer,
    join_all,
    scalar_kind,
)

PYTHON = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "/": python.truediv,
    "//": python.floordiv,
    "%": python.mod,
    "<": python.lt,
    "<=": python.le,
    ">": python.gt,
    ">=": python.ge,
    "==": python.eq,
    "!=": python.ne,
    "&": python.and_,
    "|": python.or_,
    "^": python.xor,
}
NUMERIC = frozenset({"int", "float", "bool", "complex", "number"})
ARRAY_ONLY = frozenset({"-", "/", "**", "@", "//"})
"""Operators that no pytree container has: an operand of one is an array."""
MAX_INTEGER = 1 << 64


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
COMPARING = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
REFLECTED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


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


def _instance_operation(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    name = SPECIAL.get(operator, "")
    found = call_special(machine, left, f"__{name}__", (right,), node, frame)
    if found is None:
        found = call_special(machine, right, f"__r{name}__", (left,), node, frame)
    return UNKNOWN if found is None else found


def binary(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    node: nodes.Node,
    frame: Frame,
) -> Value:
    """`left operator right`."""
    if isinstance(left, Choice) or isinstance(right, Choice):
        pairs = [(a, b) for a in _options(left) for b in _options(right)]
        return join_all(tuple(binary(machine, operator, a, b, node, frame) for a, b in pairs))
    match left, right:
        case (HeapObject(kind="instance"), _) | (_, HeapObject(kind="instance")):
            return _instance_operation(machine, operator, left, right, node, frame)
        case (Constant(str() as text), _) if operator == "%":
            return _format_text(machine, text, right, node, frame)
        case (Array(), _) | (_, Array()):
            return _array_operation(machine, operator, left, right, node, frame)
        case (Tree(), _) | (_, Tree()):
            return _tree_operation(operator, left, right, node, frame)
        case (Constant(), Constant()):
            return _fold(operator, left.value, right.value)
        case (Constant() | Scalar(), Constant() | Scalar()):
            return _scalar_operation(operator, left, right)
        case (TupleValue(), TupleValue()) if operator == "+":
            return _concatenate(left, right)
        case (TupleValue(), Constant(int(count))) if operator == "*" and left.elements is not None:
            if 0 <= count * len(left.elements) <= MAX_ELEMENTS:
                return TupleValue(left.elements * count)
            return TupleValue(None, left.element())
        case (HeapObject(kind="list"), _) | (_, HeapObject(kind="list")):
            return _list_operation(machine, operator, left, right, frame)
        case (HeapObject(kind="dict"), HeapObject(kind="dict")) if operator == "|":
            return make_dict(
                machine, merged(entries_of(machine, left), entries_of(machine, right)), frame
            )
        case _:
            return UNKNOWN


def _options(value: Value) -> tuple[Value, ...]:
    return value.options if isinstance(value, Choice) else (value,)


def _array_operation(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    array, other = (left, right) if isinstance(left, Array) else (right, left)
    repeated = isinstance(other, HeapObject) and other.kind == "list"
    if isinstance(other, TupleValue):
        repeated = other.elements is not None and other.cls is None
    if operator == "*" and (repeated or scalar_kind(other) == "str"):
        if isinstance(array, Array) and array.place is Place.ABSTRACT:
            place = node.right if isinstance(node, nodes.BinaryOperation) else node
            if array is left and isinstance(node, nodes.BinaryOperation):
                place = node.left
            machine.emit(
                events.RangeUse, frame, place, array, place, function="repetition of a sequence"
            )
        return UNKNOWN
    if scalar_kind(other) in ("str", "bytes"):
        return Scalar("str", is_tracer(left) or is_tracer(right))
    hosts = [v for v in (left, right) if isinstance(v, Array) and v.place is Place.HOST]
    jax = [v for v in (left, right) if isinstance(v, Array | Tree) and v.place is not Place.HOST]
    if not jax:
        if isinstance(other, Unknown):
            return UNKNOWN
        result = operator_result(operator, left, right)
        return Array(_host_aval(result, hosts), Place.HOST)
    if isinstance(other, HeapObject | TupleValue | FunctionValue | ClassValue):
        return UNKNOWN
    if isinstance(other, Unknown) and isinstance(left, Array) and left.place is Place.HOST:
        return UNKNOWN
    return operated(operator, left, right, frame, node)


FORMAT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(?P<kind>.)"
)
NUMERIC_FORMATS = frozenset("diouxXeEfFgG")


def _format_text(
    machine: Machine, text: str, value: Value, node: nodes.Node, frame: Frame
) -> Value:
    """`text % value`."""
    fields = [match for match in FORMAT.finditer(text) if match["kind"] != "%"]
    values = value.elements if isinstance(value, TupleValue) else (value,)
    traced = values is not None and any(is_tracer(item) for item in values)
    if values is not None and len(values) == len(fields):
        place = node.right if isinstance(node, nodes.BinaryOperation) else node
        for position, (match, item) in enumerate(zip(fields, values, strict=True)):
            if match["kind"] not in NUMERIC_FORMATS or not isinstance(item, Array):
                continue
            # `%d` asks a concrete tracer for its integer, which it has.
            fails = item.place is Place.ABSTRACT or (
                item.place is Place.CONCRETE and match["kind"] not in "dioxX"
            )
            if fails:
                at = place
                if isinstance(place, nodes.Display) and position < len(place.elements):
                    at = place.elements[position]
                machine.emit(events.FormatUse, frame, at, item, at, construct="%", spec=match[0])
                break
    return Scalar("str", traced)


def _host_aval(result: object, operands: list[Array]) -> ShapedArray:
    """The aval of a NumPy result: JAX's rule gives the shape; NumPy's own dtype rules keep 64 bits."""
    if not isinstance(result, ShapedArray):
        return UNKNOWN_ARRAY
    boolean = result.dtype is not None and result.dtype.name == "bool"
    dtypes = {array.aval.dtype for array in operands}
    dtype = result.dtype if boolean or len(dtypes) == 1 else None
    return ShapedArray(result.shape, dtype, False)


def _tree_operation(
    operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    tree, other = (left, right) if isinstance(left, Tree) else (right, left)
    if is_number(other) or operator in ARRAY_ONLY or isinstance(other, Array):
        if scalar_kind(other) in ("str", "bytes"):
            return UNKNOWN
        return new_array(None, (left, right), frame, node)
    if isinstance(other, Tree):
        return tree if tree.level >= other.level else other
    return UNKNOWN


def _fold(operator: str, left: object, right: object) -> Value:
    """An operator on two known Python values, where that is cheap."""
    function = PYTHON.get(operator)
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if operator == "**" and numbers and abs(left) <= 1024 and 0 <= right <= 8:
        function = python.pow
    texts = isinstance(left, str) and isinstance(right, str) and operator == "+"
    if function is not None and (numbers or (texts and len(left) + len(right) < 4096)):
        try:
            result = function(left, right)
        except (ArithmeticError, TypeError, ValueError):
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
    if kinds <= {"int", "bool"}:
        # A negative power of an int is a float.
        return Scalar("number" if operator == "**" else "int")
    return Scalar("number")


def _concatenate(left: TupleValue, right: TupleValue) -> TupleValue:
    if left.elements is not None and right.elements is not None:
        elements = left.elements + right.elements
        if len(elements) <= MAX_ELEMENTS:
            return TupleValue(elements)
    return TupleValue(None, join_all((left.element(), right.element())))


def _list_operation(
    machine: Machine, operator: str, left: Value, right: Value, frame: Frame
) -> Value:
    if operator == "+" and isinstance(left, HeapObject) and isinstance(right, HeapObject):
        a, b = content_of(machine, left), content_of(machine, right)
        joined = _concatenate(TupleValue(a.elements, a.rest), TupleValue(b.elements, b.rest))
        return make_list(machine, joined.elements, joined.rest, frame)
    if operator == "*":
        items, count = (left, right) if isinstance(left, HeapObject) else (right, left)
        if not isinstance(items, HeapObject):
            return UNKNOWN
        content = content_of(machine, items)
        if (
            isinstance(count, Constant)
            and isinstance(count.value, int)
            and content.elements is not None
            and 0 <= count.value * len(content.elements) <= MAX_ELEMENTS
        ):
            return make_list(machine, content.elements * count.value, UNKNOWN, frame)
        if is_number(count):
            return make_list(machine, None, content.element(), frame)
    return UNKNOWN


def negate(operand: Value) -> Value:
    """`-operand`."""
    match operand:
        case Constant(bool()):
            return Scalar("int")
        case Constant(int() | float() | complex() as number):
            return Constant(-number)
        case Array() | Scalar():
            return operand
        case Tree(place, level, origin):
            return Array(UNKNOWN_ARRAY, place, level, origin)
        case _:
            return UNKNOWN


def invert(operand: Value) -> Value:
    """`~operand`."""
    match operand:
        case Array():
            return operand
        case Tree(place, level, origin):
            return Array(UNKNOWN_ARRAY, place, level, origin)
        case Constant(int(number)):
            return Constant(~number)
        case Scalar("int" | "bool"):
            return Scalar("int")
        case _:
            return UNKNOWN


def compare(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    node: nodes.Node,
    frame: Frame,
) -> Value:
    """`left operator right` for one comparison operator that is not `in`."""
    if operator in ("is", "is not"):
        same = _identical(left, right)
        return BOOL if same is None else Constant(same == (operator == "is"))
    if isinstance(left, Choice) or isinstance(right, Choice):
        pairs = [(a, b) for a in _options(left) for b in _options(right)]
        return join_all(tuple(compare(machine, operator, a, b, node, frame) for a, b in pairs))
    match left, right:
        case (HeapObject(kind="instance"), _) | (_, HeapObject(kind="instance")):
            name, reflected = COMPARING[operator], COMPARING[REFLECTED[operator]]
            found = call_special(machine, left, f"__{name}__", (right,), node, frame)
            if found is None:
                found = call_special(machine, right, f"__{reflected}__", (left,), node, frame)
            return UNKNOWN if found is None else found
        case (Constant(), Constant()):
            try:
                return Constant(bool(PYTHON[operator](left.value, right.value)))
            except TypeError:
                return UNKNOWN
        case (Array(), _) | (_, Array()):
            return _compare_array(operator, left, right, frame)
        case (Tree(), _) | (_, Tree()):
            other = right if isinstance(left, Tree) else left
            ordering = operator not in ("==", "!=")
            if (
                is_number(other)
                or isinstance(other, Array)
                or (ordering and isinstance(other, Tree))
            ):
                return operated(operator, left, right, frame, None)
            return UNKNOWN
        case (Constant() | Scalar(), Constant() | Scalar()):
            return BOOL
        case (TupleValue(), TupleValue()):
            return _compare_tuples(machine, operator, left, right, node, frame)
        case (External(a), External(b)) if operator in ("==", "!="):
            return Constant((a == b) == (operator == "=="))
        case _:
            return UNKNOWN


def _compare_array(operator: str, left: Value, right: Value, frame: Frame) -> Value:
    array, other = (left, right) if isinstance(left, Array) else (right, left)
    if operator in ("==", "!="):
        if isinstance(other, Constant | Scalar) and not is_number(other):
            # Compared with a string or None, an array answers False at once.
            return Constant(operator == "!=") if isinstance(other, Constant) else BOOL
        if not (is_number(other) or isinstance(other, Array | Tree)):
            return UNKNOWN
    if isinstance(other, Unknown) and isinstance(array, Array) and array.place is Place.HOST:
        return UNKNOWN
    if all(not isinstance(v, Array | Tree) or v.place is Place.HOST for v in (left, right)):
        result = operator_result(operator, left, right)
        return Array(result if isinstance(result, ShapedArray) else UNKNOWN_ARRAY, Place.HOST)
    return operated(operator, left, right, frame, None)


def _compare_tuples(
    machine: Machine,
    operator: str,
    left: TupleValue,
    right: TupleValue,
    node: nodes.Node,
    frame: Frame,
) -> Value:
    if left.elements is None or right.elements is None or operator not in ("==", "!="):
        return BOOL
    if len(left.elements) != len(right.elements):
        return Constant(operator == "!=")
    results = [
        compare(machine, "==", a, b, node, frame) for a, b in zip(left.elements, right.elements)
    ]
    if all(isinstance(result, Constant) for result in results):
        equal = all(isinstance(result, Constant) and result.value for result in results)
        return Constant(equal == (operator == "=="))
    return BOOL


def _identical(left: Value, right: Value) -> bool | None:
    """Whether `left is right`; None when it is not known."""
    for a, b in ((left, right), (right, left)):
        if isinstance(b, Constant) and (b.value is None or isinstance(b.value, bool)):
            match a:
                case Constant(value):
                    return value is b.value
                case Unknown() | Tree() | Choice():
                    return None
                case Scalar("bool" | "number"):
                    return None if isinstance(b.value, bool) else False
                case _:
                    return False
    if isinstance(left, External) and isinstance(right, External):
        return left.path == right.path
    if isinstance(left, ModuleValue | ClassValue | HeapObject) and left == right:
        return True
    return None


def contains(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    node: nodes.Node,
    left_node: nodes.Node,
    right_node: nodes.Node,
    frame: Frame,
) -> Value:
    """`left in right`, and `not in`."""
    traced = isinstance(left, Array) and left.place is Place.ABSTRACT
    match right:
        case TupleValue() | HeapObject(kind="list" | "deque"):
            items = right if isinstance(right, TupleValue) else content_of(machine, right)
            if items.elements == ():
                return Constant(operator == "not in")
            # Compared with a string or None nothing is asked of the tracer.
            comparable = items.elements is not None and all(
                is_number(item) or isinstance(item, Array) for item in items.elements
            )
            if traced and comparable:
                machine.emit(events.BooleanUse, frame, node, left, left_node, construct=operator)
                return UNKNOWN
            inside = items.elements is not None and any(
                isinstance(item, Array) and item.place is Place.ABSTRACT for item in items.elements
            )
            if inside and (is_number(left) or isinstance(left, Array)):
                value = next(i for i in items.elements or () if isinstance(i, Array))
                machine.emit(events.BooleanUse, frame, node, value, right_node, construct=operator)
                return UNKNOWN
            return _known_member(operator, left, items)
        case HeapObject(kind="dict" | "set"):
            tracer = hashed_tracer(left)
            if tracer is not None:
                left = tracer
                construct = "dict key" if right.kind == "dict" else "set"
                machine.emit(events.HashUse, frame, left_node, left, construct=construct)
                return UNKNOWN
            if right.kind == "dict":
                entries = entries_of(machine, right)
                if isinstance(left, Constant) and entries.get(left.value) is not None:
                    return Constant(operator == "in")
                if isinstance(left, Constant) and entries.rest is None:
                    return Constant(operator == "not in")
            return BOOL
        case External("builtins.range") | Scalar():
            return BOOL
        case Array(_, Place.ABSTRACT) if is_number(left) or isinstance(left, Array):
            # `x in array` compares and asks for `any`.
            machine.emit(events.BooleanUse, frame, node, right, right_node, construct=operator)
            return UNKNOWN
        case Constant(str(text)) if isinstance(left, Constant) and isinstance(left.value, str):
            return Constant((left.value in text) == (operator == "in"))
        case _:
            return BOOL


def _known_member(operator: str, left: Value, items: TupleValue | Items) -> Value:
    if not isinstance(left, Constant) or items.elements is None:
        return BOOL
    if not all(isinstance(item, Constant) for item in items.elements):
        return BOOL
    member = any(isinstance(item, Constant) and item.value == left.value for item in items.elements)
    return Constant(member == (operator == "in"))
