"""Whether the carry of a loop keeps its type, and whether branches give results of one type.

Only what is known of both sides is compared: shapes and dtypes that are known, containers whose
elements are listed. A weakly typed carry takes the dtype that the body returns, as in JAX.
"""

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, OakumError, ShapeError
from oakum.values import promotion
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, replace
from oakum_lint.arrays.pytrees import registration
from oakum_lint.arrays.shape_errors import report
from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.values import NONE, Constant, HeapObject, TupleValue, Value
from oakum_lint.jax.gradient_types import aval_of
from oakum_lint.jax.operator_calls import OperatorCall
from oakum_lint.syntax import nodes

MAX_PARTS = 256
MAY_DERIVE = "an instance of the base class may be one of the class that derives from it"


@dataclass(frozen=True, slots=True)
class Node:
    """A container of a pytree: what it is called, its parts by their place, its metadata, None
    where that is not known, and its class.
    """

    kind: str
    keys: tuple[object, ...]
    parts: tuple[Value, ...]
    metadata: tuple[tuple[str, object], ...] | None = ()
    cls: ClassValue | None = None

    def may_be(self, other: "Node") -> bool:
        """Whether one class derives from the other: what an annotation calls an instance of the
        base may be one of the class that derives from it.
        """
        if self.cls is None or other.cls is None or self.cls is other.cls:
            return False
        return self.cls in other.cls.order or other.cls in self.cls.order

    def is_another(self, other: "Node") -> bool:
        """Whether it is certainly a container of another structure."""
        if (self.kind, self.keys) != (other.kind, other.keys):
            return True
        known = self.metadata is not None and other.metadata is not None
        return known and self.metadata != other.metadata

    def __str__(self) -> str:
        if self.metadata:
            return f"a {self.kind} with {', '.join(f'{k}={v!r}' for k, v in self.metadata)}"
        if self.kind == "dict":
            return f"a dict of {', '.join(map(repr, self.keys)) or 'nothing'}"
        return "None" if self.kind == "None" else f"a {self.kind} of {len(self.parts)}"


def check_carry(call: OperatorCall, before: Value, after: Value) -> None:
    """Reports a carry that the body returns with another type."""
    found = _difference(call.machine, before, after, weakly=True)
    if found is not None:
        _report(call, "carry", found)


def check_kept(
    machine: Machine, before: Value, after: Value, name: str, frame: Frame, node: nodes.Node
) -> None:
    """Reports a state that a method of this name returns with another type: who scans over it, or
    selects between the two, makes a carry or branches of them.
    """
    found = _difference(machine, before, after, weakly=True)
    if found is not None:
        _emit(machine, frame, node, name, "carry", found)


def check_pair(call: OperatorCall, result: Value) -> None:
    """Reports a result of a scan's body that is no pair."""
    node = node_of(call.machine, result)
    if aval_of(result) is not None:
        _report(call, "pair", _Difference("a pair of carry and output", f"{aval_of(result)}"))
    elif node is not None and (node.kind not in ("tuple", "list") or len(node.parts) != 2):
        _report(call, "pair", _Difference("a pair of carry and output", str(node)))


def check_condition(call: OperatorCall, result: Value) -> None:
    """Reports the condition of a loop that is no truth value."""
    aval, node = aval_of(result), node_of(call.machine, result)
    if aval is None:
        fits = node is None
    else:
        fits = not aval.shape and (aval.dtype is None or aval.dtype.kind is Kind.BOOL)
    if not fits:
        _report(call, "condition", _Difference("a scalar truth value", f"{aval or node}"))


def check_branches(call: OperatorCall, results: list[Value]) -> None:
    """Reports branches that return results of different types."""
    for other in results[1:]:
        found = _difference(call.machine, results[0], other, weakly=False)
        if found is not None:
            _report(call, "branches", found)
            return


def check_tangent(call: OperatorCall, primal: Value, tangent: Value) -> bool:
    """Reports a tangent of another shape or dtype than its primal value; whether it is."""
    error = _tangent_error("tangent", "primal value", aval_of(primal), aval_of(tangent))
    if error is not None:
        operands = ((primal, None), (tangent, None))
        report(call.machine, error, call.title, operands, call.frame, call.node)
    return error is not None


def check_cotangent(
    machine: Machine, result: Value, cotangent: Value, frame: Frame, node: nodes.Node
) -> bool:
    """Reports what is passed to the function of `vjp`, if it is of another shape or dtype than the
    result; whether it is.
    """
    match result, cotangent:
        case TupleValue(tuple() as results), TupleValue(tuple() as actual):
            pairs = list(zip(results, actual, strict=False))
        case _:
            pairs = [(result, cotangent)]
    for one, other in pairs:
        wanted, given = aval_of(one), aval_of(other)
        if wanted is not None and given is not None and _tangent_dtype(wanted) is dtypes.float0:
            # The cotangent of an integer is not read: it may be of any dtype.
            given = given.update(dtype=dtypes.float0)
        error = _tangent_error("cotangent", "result", wanted, given)
        if error is not None:
            operands = ((one, None), (other, None))
            called = node.function if isinstance(node, nodes.Call) else node
            report(machine, error, frame.text(called), operands, frame, node)
            return True
    return False


def _tangent_error(
    what: str, of: str, wanted: ShapedArray | None, actual: ShapedArray | None
) -> OakumError | None:
    """The error of a tangent that does not fit, if it is known not to."""
    if wanted is None or actual is None:
        return None
    expected, dtype = _tangent_dtype(wanted), _canonical(actual)
    if differ_in_shape(wanted, actual):
        return ShapeError(
            f"the {what} {actual} has another shape than the {of} {wanted}",
            hint=f"Give each {what} the shape of its {of}.",
        )
    if dtype is not expected and dtype is not None and expected is not None:
        return DTypeError(
            f"the {what} {actual} of the {of} {wanted} is not of dtype {expected}",
            hint=f"Give each {what} the dtype of its {of}, which must be floating.",
        )
    return None


def _canonical(aval: ShapedArray) -> DType | None:
    return None if aval.dtype is None else dtypes.canonicalize(aval.dtype)


def _tangent_dtype(primal: ShapedArray) -> DType | None:
    """The dtype of the tangents of a value: integers and truth values have none but float0."""
    dtype = _canonical(primal)
    whole = dtype is not None and dtype.kind in (Kind.BOOL, Kind.INT, Kind.UINT)
    return dtypes.float0 if whole else dtype


@dataclass(frozen=True, slots=True)
class _Difference:
    """Where two trees differ: both sides in words, the part, and why that need not be so."""

    before: str
    after: str
    part: str = ""
    doubt: str = ""


def _report(call: OperatorCall, kind: str, found: _Difference) -> None:
    _emit(call.machine, call.frame, call.node, call.title, kind, found)


def _emit(
    machine: Machine,
    frame: Frame,
    node: nodes.Node,
    operator: str,
    kind: str,
    found: _Difference,
) -> None:
    machine.emit(
        events.CarryMismatch,
        frame,
        node,
        NONE,
        None,
        found.doubt,
        operator=operator,
        kind=kind,
        before=found.before,
        after=found.after,
        part=found.part,
    )


def _difference(machine: Machine, one: Value, two: Value, *, weakly: bool) -> _Difference | None:
    """The first difference of two trees."""
    stack = [(one, two, "")]
    steps = 0
    while stack and steps < MAX_PARTS:
        left, right, path = stack.pop()
        steps += 1
        nodes = node_of(machine, left), node_of(machine, right)
        avals = aval_of(left), aval_of(right)
        match nodes, avals:
            case (Node() as a, Node() as b), _:
                if a.is_another(b):
                    return _Difference(str(a), str(b), path, MAY_DERIVE if a.may_be(b) else "")
                pairs = zip(a.keys, a.parts, b.parts, strict=True)
                stack.extend((x, y, f"{path}[{key!r}]") for key, x, y in reversed(list(pairs)))
            case (Node() as a, None), (_, ShapedArray() as b):
                return _Difference(str(a), str(b), path)
            case (None, Node() as b), (ShapedArray() as a, _):
                return _Difference(str(a), str(b), path)
            case _, (ShapedArray() as a, ShapedArray() as b):
                if _differ(a, b, weakly=weakly):
                    return _Difference(str(a), str(b), path)
            case _:
                pass
    return None


def _differ(before: ShapedArray, after: ShapedArray, *, weakly: bool) -> bool:
    """Whether two avals certainly differ in shape or dtype."""
    if differ_in_shape(before, after):
        return True
    # NumPy's wide arrays are narrow ones once they are in the loop.
    before, after = (replace(aval, dtype=_canonical(aval)) for aval in (before, after))
    if before.dtype is None or after.dtype is None or before.dtype is after.dtype:
        return False
    if not weakly or before.weak_type is False:
        return True
    if before.weak_type is None:
        return False
    try:
        dtype, _ = promotion.promote([before.typing, after.typing])
    except OakumError:
        return False
    return dtype is not None and dtype is not after.dtype


def differ_in_shape(one: ShapedArray, two: ShapedArray) -> bool:
    """Whether two avals certainly have other shapes."""
    if one.shape is None or two.shape is None:
        return False
    if len(one.shape) != len(two.shape):
        return True
    sizes = zip(one.shape, two.shape, strict=True)
    return any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in sizes)


def node_of(machine: Machine, value: Value) -> Node | None:
    match value:
        case TupleValue(elements) if elements is not None:
            cls = value.cls
            kind = "tuple" if cls is None else cls.name
            return Node(kind, tuple(range(len(elements))), elements, cls=cls)
        case HeapObject(kind="list"):
            elements = content_of(machine, value).elements
            if elements is None:
                return None
            return Node("list", tuple(range(len(elements))), elements)
        case HeapObject(kind="dict"):
            entries = entries_of(machine, value)
            if entries.rest is not None:
                return None
            known = sorted(entries.known, key=lambda item: repr(item[0]))
            return Node("dict", tuple(k for k, _ in known), tuple(v for _, v in known))
        case HeapObject(kind="instance", cls=ClassValue() as cls) if cls.pytree:
            return _instance_node(machine, value, cls)
        case _:
            return Node("None", (), ()) if value == NONE else None


def _instance_node(machine: Machine, value: HeapObject, cls: ClassValue) -> Node | None:
    """An instance of a dataclass that is a pytree by its fields."""
    fields = cls.fields or ()
    held = [machine.read(value, field.name) for field in fields]
    if not fields or None in held or registration(machine, cls) != (None, None):
        return None
    pairs = [(f, item) for f, item in zip(fields, held, strict=True) if item is not None]
    parts = [(field.name, item) for field, item in pairs if not field.static]
    static = [(field.name, item) for field, item in pairs if field.static]
    known = [(name, item.value) for name, item in static if isinstance(item, Constant)]
    metadata = tuple(known) if len(known) == len(static) else None
    return Node(cls.name, tuple(n for n, _ in parts), tuple(v for _, v in parts), metadata, cls)


def check_selector(call: OperatorCall, name: str, needed: str) -> None:
    """Reports an array with axes as what chooses between branches."""
    value = call.values.get(name)
    aval = None if value is None else aval_of(value)
    if value is None or aval is None:
        return
    place = call.arguments.place(0, name, call.node)
    whole = (None, Kind.INT, Kind.UINT)
    if aval.shape:
        error = DTypeError(
            f"{needed} chooses the branch, not the array {aval}",
            hint="Choose by a scalar, or element by element with jnp.where or under jax.vmap.",
        )
    elif name == "index" and (aval.dtype and aval.dtype.kind) not in whole:
        error = DTypeError(
            f"{needed} chooses the branch, not {aval}",
            hint="Convert the index with astype, or use lax.cond for a truth value.",
        )
    else:
        return
    report(call.machine, error, call.title, ((value, place),), call.frame, call.node)
