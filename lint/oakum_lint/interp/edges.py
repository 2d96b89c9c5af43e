"""Functions at the edge of their domain, where a derivative is infinite and a gradient NaN."""

import re
from collections.abc import Iterable, Mapping

from oakum.facts import Facts
from oakum.records import replace
from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.flatness import PLAIN_KINDS
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import NONE, Array, Constant, Edge, Value

ZERO = Edge("zero")
_ALL_WITH_NEW_AXIS = re.compile(r"(?:[:,]|\.\.\.|None|(?:\w+\.)?newaxis)+")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?!\w|\.|\s*\()")


def carried_edge(values: Iterable[Value], frame: Frame) -> Edge | None:
    """What the result of an operation has from its operands."""
    if not _is_differentiated(frame):
        return None
    edges = [v.edge for v in values if isinstance(v, Array) and v.edge is not None]
    kinds = ("singular", "guarded")
    return next((edge for kind in kinds for edge in edges if edge.kind == kind), None)


def compared(array: Array, frame: Frame, node: nodes.Node) -> Array:
    """The result of a comparison, with the names that are compared."""
    if not _is_differentiated(frame):
        return array
    return replace(array, edge=Edge("compared", _names(frame.text(node))))


def singular(
    result: Array, operand: Value, place: nodes.Node, function: str, frame: Frame
) -> Array:
    """The result of a function whose derivative by an operand is infinite somewhere."""
    trace = frame.trace
    if trace is None or not trace.differentiated or not isinstance(operand, Array):
        return result
    if operand.level < trace.differentiated or operand.cut is not None:
        return result
    dtype = operand.aval.dtype
    if dtype is not None and dtype.kind in PLAIN_KINDS:
        return result
    if operand.edge is not None and operand.edge.kind == "guarded":
        return result
    if isinstance(place, nodes.BinaryOperation) and place.operator == "+":
        # Something is added to keep it off the edge.
        return result
    edge = Edge("singular", _names(frame.text(place)), function)
    return replace(result, edge=edge)


def mark_edge(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    value: Value,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The result of a public function with how it stands to an edge; reports what meets there."""
    if not isinstance(value, Array) or not declared.edge:
        return value
    if declared.edge == "zeros":
        return replace(value, edge=ZERO)
    if not _is_differentiated(frame):
        return value
    if declared.edge in ("guards", "selects"):
        if declared.edge == "selects":
            _check_selection(machine, declared, bound, places, frame, node)
        return replace(value, edge=Edge("guarded"))
    operands = [
        (name, item) for name, item in bound.items() if isinstance(item, Array) and name in places
    ]
    if not operands:
        return value
    name, operand = operands[-1]
    if declared.edge == "corner":
        _check_corner(machine, [item for _, item in operands], spelled, frame, node)
        return value
    if declared.edge in ("linear", "square"):
        edge = _zero_of_call(declared, bound, [item for _, item in operands])
        return value if edge is None else replace(value, edge=edge)
    if _check_length(machine, declared, bound, operand, places[name], spelled, frame, node):
        return value
    return singular(value, operand, places[name], spelled, frame)


def _check_length(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    operand: Array,
    place: nodes.Node,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> bool:
    """Reports a root or a length of zeros; whether they are zeros."""
    zero = operand.edge
    if zero is None or zero.kind != "zero" or declared.edge not in ("root", "length"):
        return False
    needs_flat = declared.edge == "root"
    whole = zero.partly and bound.get("axis", NONE) == NONE and not needs_flat
    if _depends(operand, frame) and (zero.flat or not needs_flat) and not whole:
        machine.emit(
            events.NanGradient,
            frame,
            node,
            operand,
            place,
            function=spelled,
            names=(),
            partly=zero.partly,
        )
    return True


def _check_corner(
    machine: Machine, operands: list[Array], spelled: str, frame: Frame, node: nodes.Node
) -> None:
    """Reports a function of two zeros whose derivatives are NaN there."""
    depending = [operand for operand in operands if _depends(operand, frame)]
    if len(operands) == 2 and all(map(is_zero, operands)) and depending:
        machine.emit(
            events.NanGradient,
            frame,
            node,
            depending[-1],
            node,
            function=spelled,
            names=(),
            corner=True,
        )


def zero_of_operation(
    operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Edge | None:
    """Whether the result of an operator is zero, or is on the diagonal."""
    if not _is_differentiated(frame) or not isinstance(node, nodes.BinaryOperation):
        return None
    edges = [v.edge if isinstance(v, Array) else None for v in (left, right)]
    zeros = [edge for edge in edges if edge is not None and edge.kind == "zero"]
    partly = any(edge.partly for edge in zeros)
    match operator:
        case "-" if _are_all_differences(node, frame):
            return Edge("zero", partly=True)
        case "**" if zeros == edges[:1] and isinstance(right, Constant):
            number = right.value
            if isinstance(number, int | float) and number > 1:
                return Edge("zero", flat=True, partly=partly)
            return None
        case "*" if zeros:
            flat = any(edge.flat for edge in zeros)
            return Edge("zero", flat=flat or (None not in edges and len(zeros) == 2), partly=partly)
        case "@" if len(zeros) == 2 and not partly:
            return Edge("zero", flat=True)
        case "+" | "-" if len(zeros) == 2 and not partly:
            return Edge("zero", flat=all(edge.flat for edge in zeros))
        case "/" if edges[0] in zeros and not isinstance(right, Array):
            return edges[0]
        case _:
            return None


def is_singular_power(exponent: object) -> bool:
    """Whether the derivative of a power is infinite at zero."""
    return isinstance(exponent, int | float) and exponent < 1 and exponent != 0


def _are_all_differences(node: nodes.BinaryOperation, frame: Frame) -> bool:
    """`x[:, None] - x[None, :]`: each element is subtracted from itself, too."""
    left, right = node.left, node.right
    if not (isinstance(left, nodes.Subscript) and isinstance(right, nodes.Subscript)):
        return False
    if frame.text(left.value) != frame.text(right.value):
        return False
    indices = [frame.text(part.index).replace(" ", "") for part in (left, right)]
    return indices[0] != indices[1] and all(map(_ALL_WITH_NEW_AXIS.fullmatch, indices))


def _zero_of_call(
    declared: Facts, bound: Mapping[str, Value], operands: list[Array]
) -> Edge | None:
    """Whether a function gives zero for what it is given."""
    edges = [operand.edge for operand in operands]
    if not all(edge is not None and edge.kind == "zero" for edge in edges):
        return None
    partly = any(edge is not None and edge.partly for edge in edges)
    if partly and (len(edges) > 1 or ("axis" in bound and bound["axis"] == NONE)):
        # The sum over all of them is not zero.
        return None
    flat = declared.edge == "square" or all(edge is not None and edge.flat for edge in edges)
    return Edge("zero", flat=flat, partly=partly)


def _depends(operand: Array, frame: Frame) -> bool:
    """Whether the value comes from what is differentiated."""
    return frame.trace is not None and operand.level >= frame.trace.differentiated > 0


def is_zero(operand: Array) -> bool:
    """Whether all its elements are zero."""
    return operand.edge is not None and operand.edge.kind == "zero" and not operand.edge.partly


def _check_selection(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    frame: Frame,
    node: nodes.Node,
) -> None:
    parameters = tuple(declared.signature.parameters)[:3]
    condition, *branches = (bound.get(name) for name in parameters)
    if not isinstance(condition, Array) or condition.edge is None:
        return
    for branch in branches:
        edge = branch.edge if isinstance(branch, Array) else None
        if edge is None or edge.kind != "singular":
            continue
        common = edge.names & condition.edge.names
        if common and isinstance(branch, Array):
            names = tuple(sorted(common))
            machine.emit(
                events.NanGradient, frame, node, branch, function=edge.function, names=names
            )
            return


def _names(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(text))


def _is_differentiated(frame: Frame) -> bool:
    return frame.trace is not None and frame.trace.differentiated > 0
