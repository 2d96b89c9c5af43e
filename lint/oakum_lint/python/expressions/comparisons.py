"""Comparisons: `==`, `<`, `is`, `in` and their kin."""

from oakum import dtypes
from oakum.values.avals import ShapedArray
from oakum.values.records import replace
from oakum_lint.arrays.array_results import (
    UNKNOWN_ARRAY,
    operated,
    operator_result,
    with_unknown,
)
from oakum_lint.arrays.enums import EnumMember
from oakum_lint.arrays.shape_errors import host_result
from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue, ModuleValue
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join_all
from oakum_lint.domain.look_ups import container_in, content_of, entries_of
from oakum_lint.domain.moments import read_elements
from oakum_lint.domain.values import (
    BOOL,
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    DTypeValue,
    External,
    HeapObject,
    Items,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.models import dotted
from oakum_lint.models.dtypes import dtype_name
from oakum_lint.models.types import is_builtin_type
from oakum_lint.python.expressions.failures import ITERATION, are_apart, note_lacking
from oakum_lint.python.expressions.operators import (
    PYTHON,
    call_special,
    choices_of,
    heard,
    is_number,
    is_special,
    refuses,
)
from oakum_lint.python.objects.containers import constant_key
from oakum_lint.python.objects.hashing import check_hash
from oakum_lint.syntax import nodes

COMPARING = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
ORDERING = frozenset(COMPARING) - {"==", "!="}
REFLECTED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


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
        pairs = [(a, b) for a in choices_of(left) for b in choices_of(right)]
        with frame.trying():
            compared = [compare(machine, operator, a, b, node, frame) for a, b in pairs]
        return join_all(tuple(compared))
    reflected = COMPARING[REFLECTED[operator]]
    if is_special(machine, left, COMPARING[operator]) or is_special(machine, right, reflected):
        return _compare_instances(machine, operator, left, right, node, frame)
    match left, right:
        case (Constant(), Constant()):
            return _compare_constants(machine, operator, left, right, frame, node)
        case (Array(), _) | (_, Array()):
            return _compare_array(machine, operator, left, right, frame, node)
        case (Tree(), _) | (_, Tree()):
            return _compare_tree(machine, operator, left, right, frame, node)
        case (Constant() | Scalar(), Constant() | Scalar()):
            if operator in ORDERING and refuses(operator, left, right):
                note_stop(machine, frame, node)
            return BOOL
        case (TupleValue(), TupleValue()):
            return _compare_tuples(machine, operator, left, right, node, frame)
        case _:
            return _compare_named(machine, operator, left, right, node, frame)


def _compare_named(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    """Compares names from outside the project, and dtypes with each other and with such names."""
    if are_apart(PYTHON.get(operator), left, right):
        note_stop(machine, frame, node, "perhaps")
    if operator not in ("==", "!="):
        return UNKNOWN
    match left, right:
        case (External(a), External(b)):
            return Constant((a == b) == (operator == "=="))
        case (ClassValue(), ClassValue()):
            same = _are_one_class(left, right)
            return BOOL if same is None else Constant(same == (operator == "=="))
        case (DTypeValue(), _) | (_, DTypeValue()):
            names = {_name_of_dtype(left), _name_of_dtype(right)}
            return BOOL if None in names else Constant((len(names) == 1) == (operator == "=="))
        case _:
            return UNKNOWN


def _are_one_class(left: Value, right: Value) -> bool | None:
    """Whether two names of classes are of one; None where a class may stand for one that inherits
    from it, as that of an object does which is not seen to be made.
    """
    if not (isinstance(left, ClassValue) and isinstance(right, ClassValue)):
        return None
    if left is right:
        return True if left.subclasses() == [left] else None
    related = right in left.subclasses() or left in right.subclasses()
    return None if related or not (_is_plain(left) and _is_plain(right)) else False


def _is_plain(cls: ClassValue) -> bool:
    """Whether a class is made once, by a statement of a module, and by no metaclass of the project,
    which may say what equals it.
    """
    parent = cls.body.parent
    return (parent is not None and parent.kind == "module") and not any(
        isinstance(each, ClassValue) and (each.definition is None or each.definition.keywords)
        for each in cls.order
    )


def _name_of_dtype(value: Value) -> str | None:
    match value:
        case DTypeValue(name):
            return name
        case Constant(str(name)):
            return name if name in dtypes.DTYPES else None
        case External(path) if not is_builtin_type(path):
            return dtype_name(path)
        case _:
            return None


def _compare_instances(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Value:
    """A comparison by the special method of either side's class."""
    sides = ((left, right, operator), (right, left, REFLECTED[operator]))
    for owner, other, asked in sides:
        found = call_special(machine, owner, f"__{COMPARING[asked]}__", (other,), node, frame)
        if found is None and asked == "!=":
            found = call_special(machine, owner, "__eq__", (other,), node, frame)
            found = None if found is None else _inverted(found)
        if found is not None:
            return found
    return UNKNOWN


def _inverted(equal: Value) -> Value:
    """What `!=` gives of a class that says no more than when its instances are equal."""
    match equal:
        case Constant(bool(known)):
            return Constant(not known)
        case Scalar("bool"):
            return BOOL
        case _:
            return UNKNOWN


def _compare_constants(
    machine: Machine,
    operator: str,
    left: Constant,
    right: Constant,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    try:
        return Constant(bool(PYTHON[operator](left.value, right.value)))
    except TypeError:
        if refuses(operator, left, right):
            note_stop(machine, frame, node)
        return UNKNOWN


def _compare_tree(
    machine: Machine, operator: str, left: Value, right: Value, frame: Frame, node: nodes.Node
) -> Value:
    """A comparison with a traced tree, which is an array if it is compared with a number."""
    other = right if isinstance(left, Tree) else left
    ordering = operator not in ("==", "!=")
    if is_number(other) or isinstance(other, Array) or (ordering and isinstance(other, Tree)):
        result = operated(machine, operator, left, right, frame, None, node)
        return heard(machine, operator, left, right, result, frame, node)
    tree = left if isinstance(left, Tree) else right
    if not isinstance(tree, Tree) or tree.opaque:
        return UNKNOWN
    if ordering and isinstance(other, Unknown | External):
        result = operated(machine, operator, left, right, frame, None, node)
        return replace(result, origin=with_unknown(tree, frame, node))
    return UNKNOWN


def _compare_array(
    machine: Machine, operator: str, left: Value, right: Value, frame: Frame, node: nodes.Node
) -> Value:
    array, other = (left, right) if isinstance(left, Array) else (right, left)
    if operator in ORDERING and other == NONE:
        note_stop(machine, frame, node)
        return UNKNOWN
    if operator in ("==", "!="):
        if isinstance(other, Constant | Scalar) and not is_number(other):
            if isinstance(array, Array) and array.place is Place.HOST:
                # NumPy compares its elements with it, which may be strings or objects.
                shape = array.aval.shape
                return Array(ShapedArray(shape, dtypes.bool_), Place.HOST)
            # Compared with a string or None, an array of JAX answers False at once.
            return Constant(operator == "!=") if isinstance(other, Constant) else BOOL
        if not (is_number(other) or isinstance(other, Array | Tree)):
            return UNKNOWN
    if isinstance(other, Unknown) and isinstance(array, Array) and array.place is Place.HOST:
        return UNKNOWN
    if all(not isinstance(v, Array | Tree) or v.place is Place.HOST for v in (left, right)):
        result = host_result(machine, lambda: operator_result(operator, left, right), frame, node)
        return Array(result if isinstance(result, ShapedArray) else UNKNOWN_ARRAY, Place.HOST)
    read_elements(machine, (left, right), frame, node)
    result = operated(machine, operator, left, right, frame, None, node)
    return heard(machine, operator, left, right, result, frame, node)


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
        compare(machine, "==", a, b, node, frame)
        for a, b in zip(left.elements, right.elements, strict=True)
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
                case Unknown(present=True) if b.value is None:
                    return False
                case Unknown() | Tree() | Choice():
                    return None
                case Scalar("bool" | "number"):
                    return None if isinstance(b.value, bool) else False
                case _:
                    return False
    match left, right:
        case External(first), External(second):
            return first == second
        case Constant(EnumMember() as first), Constant(EnumMember() as second):
            return first == second
        case _:
            pass
    if isinstance(left, ModuleValue | ClassValue | HeapObject) and left == right:
        return True
    return _are_one_class(left, right)


def _answer_of(machine: Machine, asked: Value, frame: Frame, node: nodes.Node) -> Value:
    """What an object without a `__contains__` says: it is iterated over, if it can be."""
    note_lacking(machine, asked, ITERATION, frame, node)
    return BOOL


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
    match right:
        case TupleValue() | HeapObject(kind="list" | "deque"):
            items = right if isinstance(right, TupleValue) else content_of(machine, right)
            asked = _compared_tracer(left, items)
            if asked is None:
                return _known_member(operator, left, items)
            place = left_node if asked is left else right_node
            machine.emit(events.BooleanUse, frame, node, asked, place, construct=operator)
            return UNKNOWN
        case HeapObject(kind="instance"):
            found = call_special(machine, right, "__contains__", (left,), node, frame)
            inner = container_in(machine, right) if found is None else None
            if inner is None:
                return found or _answer_of(machine, right, frame, node)
            return contains(machine, operator, left, inner, node, left_node, right_node, frame)
        case HeapObject(kind="dict" | "set"):
            construct = "dict key" if right.kind == "dict" else "set"
            if check_hash(machine, left, frame, left_node, construct):
                return UNKNOWN
            return _known_key(machine, operator, left, right)
        case External(dotted.RANGE) | Scalar():
            return BOOL
        case Array(_, Place.ABSTRACT) if is_number(left) or isinstance(left, Array):
            # `x in array` compares and asks for `any`.
            machine.emit(events.BooleanUse, frame, node, right, right_node, construct=operator)
            return UNKNOWN
        case Constant(str(text)) if isinstance(left, Constant) and isinstance(left.value, str):
            return Constant((left.value in text) == (operator == "in"))
        case _:
            return BOOL


def _compared_tracer(left: Value, items: TupleValue | Items) -> Array | None:
    """The tracer whose truth value a search asks for: it is compared with a number or an array."""
    elements = items.elements or ()
    # Compared with a string or None nothing is asked of a tracer.
    comparable = all(is_number(item) or isinstance(item, Array) for item in elements)
    if elements and comparable and isinstance(left, Array) and left.place is Place.ABSTRACT:
        return left
    if not (is_number(left) or isinstance(left, Array)):
        return None
    if any(isinstance(item, Array) and item.place is Place.ABSTRACT for item in elements):
        return next(item for item in elements if isinstance(item, Array))
    return None


def _known_key(machine: Machine, operator: str, left: Value, right: HeapObject) -> Value:
    """Whether a key is in a dict or set, as far as it is known."""
    key = constant_key(left)
    if right.kind == "dict" and key is not None:
        entries = entries_of(machine, right, key)
        if entries.get(key.value) is not None:
            return Constant(operator == "in")
        if entries.rest is None:
            return Constant(operator == "not in")
    return BOOL


def _known_member(operator: str, left: Value, items: TupleValue | Items) -> Value:
    """Whether a value is in a sequence, as far as it is known."""
    if items.elements == ():
        return Constant(operator == "not in")
    if not isinstance(left, Constant) or items.elements is None:
        return BOOL
    if not all(isinstance(item, Constant) for item in items.elements):
        return BOOL
    member = any(isinstance(item, Constant) and item.value == left.value for item in items.elements)
    return Constant(member == (operator == "in"))
