"""Which values are known to be zero, or to be one number in all their elements."""

import math
from collections.abc import Iterable, Mapping, Sequence

from oakum.values.facts import Facts
from oakum_lint.analyses.gradients.edges import EDGE, Diagonal, Edge, depends, is_differentiated
from oakum_lint.analyses.gradients.same_set import diagonal_of, is_same
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    NONE,
    Array,
    Constant,
    HeapObject,
    Items,
    Scalar,
    TupleValue,
    Value,
)
from oakum_lint.syntax import nodes

ZERO = Edge("zero")
UNIFORM = Edge("uniform")
ONE = Edge("uniform", number=1.0)
_FLAT_ZERO = Edge("zero", flat=True)
_MAX_ELEMENTS = 64
_MAX_DEPTH = 4
"""Lists are looked into so deep: one may hold itself."""


def number_edge(number: object) -> Edge | None:
    """Returns the edge of a plain number: zero, or a whole one, with which sums stay exact."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not number:
        return ZERO if number == 0 and not isinstance(number, bool) else None
    at_edge = number == 1 or -math.inf < number < 0
    is_whole = number % 1 == 0
    if at_edge:
        return Edge("uniform" if is_whole else "number", number=float(number))
    return UNIFORM if is_whole else None


def known_edge(machine: Machine, value: Value, depth: int = _MAX_DEPTH) -> Edge | None:
    """Returns the edge of an array, of a number, or of a list or tuple of them."""
    match value:
        case Array():
            return EDGE.of(value)
        case Constant(number):
            edge = number_edge(number)
            return _FLAT_ZERO if edge is ZERO else edge
        case TupleValue() | Items() | HeapObject(kind="list") if depth:
            return _common_edge(machine, elements_of(machine, value), depth - 1)
        case _:
            return None


def elements_of(machine: Machine, value: Value) -> tuple[Value, ...]:
    """Returns the known elements of a list or a tuple; of all else the value alone."""
    held = machine.read(value, CONTENT) if isinstance(value, HeapObject) else value
    match held:
        case TupleValue(elements) | Items(elements):
            return elements or ()
        case _:
            return (value,)


def _common_edge(machine: Machine, elements: tuple[Value, ...], depth: int) -> Edge | None:
    """The edge that all elements have; numbers that differ have none but that they are zero."""
    if not elements or len(elements) > _MAX_ELEMENTS:
        return None
    edges = [
        edge
        for element in elements
        if (edge := known_edge(machine, element, depth)) is not None and not edge.partly
    ]
    if len(edges) != len(elements):
        return None
    if all(edge.kind == "zero" for edge in edges):
        return Edge("zero", flat=all(edge.flat for edge in edges))
    alike = all(element == elements[0] for element in elements)
    return edges[0] if alike and isinstance(elements[0], Constant) else None


def is_zero(value: Value) -> bool:
    """Whether all elements of an array are zero."""
    edge = EDGE.of(value)
    return edge is not None and edge.kind == "zero" and not edge.partly


def is_uniform(value: Value) -> bool:
    """Whether all elements of an array are one number, whose sums are exact."""
    edge = EDGE.of(value)
    return edge is not None and (edge.kind == "uniform" or is_zero(value))


def edge_of_operation(
    machine: Machine, operator: str, left: Value, right: Value, node: nodes.Node, frame: Frame
) -> Edge | None:
    """Whether the result of an operator is zero, is on the diagonal, or is one number."""
    if not is_differentiated(frame):
        return None
    edges = [known_edge(machine, value) for value in (left, right)]
    zeros = [edge for edge in edges if edge is not None and edge.kind == "zero"]
    partly = next((edge.partly for edge in zeros if edge.partly), None)
    match operator:
        case "-" if (difference := _difference(machine, edges, node, frame)) is not None:
            return difference
        case "**" if zeros == edges[:1] and isinstance(right, Constant):
            is_flat = isinstance(right.value, int | float) and right.value > 1
            return Edge("zero", flat=True, partly=partly) if is_flat else None
        case "*" | "/" if multiple := _multiple(operator, edges, (left, right), frame):
            return multiple
        case "@" if zeros and not partly:
            return Edge("zero", flat=len(zeros) == 2 or any(edge.flat for edge in zeros))
        case "+" | "-" if len(zeros) == 2 and len({edge.partly for edge in zeros} - {None}) < 2:
            return Edge("zero", flat=all(edge.flat for edge in zeros), partly=partly)
        case "+" | "-" | "*" if None not in edges and not partly:
            kinds = {edge.kind for edge in edges if edge is not None}
            return UNIFORM if kinds <= {"zero", "uniform"} else None
        case _:
            return None


def _multiple(
    operator: str, edges: Sequence[Edge | None], operands: tuple[Value, Value], frame: Frame
) -> Edge | None:
    """The edge of a product or a quotient: zero, nowhere zero, or what a bound or a selection has
    made zero.
    """
    left, right = operands
    zeros = [edge for edge in edges if edge is not None and edge.kind == "zero"]
    if operator == "/":
        if len(zeros) == 1 and edges[0] in zeros:
            return edges[0]
        kept = _kept_at_zero(edges[0], right, frame) if _is_off_zero(edges[1], right) else None
    elif zeros:
        flat = any(edge.flat for edge in zeros) or len(zeros) == 2
        whole = any(not edge.partly for edge in zeros)
        partly = None if whole else next(edge.partly for edge in zeros)
        return Edge("zero", flat=flat, partly=partly)
    else:
        kept = _kept_at_zero(edges[0], right, frame) or _kept_at_zero(edges[1], left, frame)
    if kept is None and _is_nowhere_zero(edges, operands):
        return Edge("nonzero")
    return kept


def _is_nowhere_zero(edges: Sequence[Edge | None], operands: Sequence[Value]) -> bool:
    """Whether an operand is nowhere zero, and the other is a number that is not."""
    return any(
        edge is not None
        and edge.kind == "nonzero"
        and isinstance(other, Constant)
        and isinstance(other.value, int | float)
        and other.value != 0
        for edge, other in zip(edges, reversed(operands), strict=True)
    )


def _is_off_zero(edge: Edge | None, divisor: Value) -> bool:
    """Whether a divisor is a number, or is kept from zero."""
    return isinstance(divisor, Constant) or (
        edge is not None
        and edge.kind in ("guarded", "nonzero")
        and not (edge.zeroed or 0.0 in edge.bounds)
    )


def _kept_at_zero(edge: Edge | None, other: Value, frame: Frame) -> Edge | None:
    """What is left of a bound, or of the zeros of a selection, in a multiple: zero is zero. The
    derivative of another factor that varies is multiplied by it.
    """
    if edge is None:
        return None
    varies = isinstance(other, Array) and depends(other, frame)
    if edge.kind == "zeroed" or (edge.zeroed and varies):
        return Edge("zeroed")
    if edge.zeroed:
        return Edge("guarded", zeroed=True)
    return Edge("guarded", bounds=frozenset({0.0})) if 0.0 in edge.bounds else None


def _difference(
    machine: Machine, edges: list[Edge | None], node: nodes.Node, frame: Frame
) -> Edge | None:
    """The edge of a difference of equal numbers, or of all elements from each other."""
    left, right = edges
    if left is not None and left.number is not None and left == right:
        return ZERO
    diagonal = _all_differences(machine, node, frame)
    return Edge("zero", partly=diagonal) if diagonal else None


def _all_differences(machine: Machine, node: nodes.Node, frame: Frame) -> Diagonal | None:
    """Where an element is subtracted from itself: in `x[:, None] - x[None, :]`, in `x - x[i]`, and
    where maps go over the rows of one array; None for other differences.
    """
    if not isinstance(node, nodes.BinaryOperation):
        return None
    left, right = node.left, node.right
    for whole, part in ((left, right), (right, left)):
        if isinstance(part, nodes.Subscript) and _is_element(machine, whole, part, frame):
            return Diagonal(f": - {frame.text(part.index)}")
    return diagonal_of(machine, left, right, frame)


def _is_element(
    machine: Machine, whole: nodes.Expression, part: nodes.Subscript, frame: Frame
) -> bool:
    """Whether `part` is one element of the first axis of `whole`: `x[i]`, and `x[i, None]`."""
    index = part.index
    if isinstance(index, nodes.Display) and index.elements:
        index = index.elements[0]
    if not isinstance(index, nodes.Name | nodes.Constant) or not is_same(
        machine, whole, part.value, frame
    ):
        return False
    match machine.look(index, frame):
        case Constant(number):
            return isinstance(number, int) and not isinstance(number, bool)
        case Scalar("int"):
            return True
        case Array(aval):
            return aval.ndim == 0 and aval.dtype is not None and aval.dtype.kind in "iu"
        case _:
            return False


def made_edge(
    machine: Machine, declared: Facts, bound: Mapping[str, Value], operands: Iterable[Value]
) -> Edge | None:
    """Returns the edge of an array that a function makes, or of the same numbers."""
    match declared.edge:
        case "zeros":
            return ZERO
        case "ones":
            return ONE
        case "filled":
            return known_edge(machine, bound.get("fill_value", NONE))
        case "nonzero":
            return Edge("nonzero")
        case _:
            return edge_of_call(machine, declared, bound, operands)


def edge_of_call(
    machine: Machine, declared: Facts, bound: Mapping[str, Value], operands: Iterable[Value]
) -> Edge | None:
    """Whether a function returns zero, or one number, for its arguments."""
    edges = [known_edge(machine, operand) for operand in operands]
    known = [edge for edge in edges if edge is not None]
    zeros = [edge for edge in known if edge.kind == "zero"]
    partly = next((edge.partly for edge in zeros if edge.partly), None)
    if declared.edge == "product" and zeros and not partly:
        return Edge("zero", flat=len(zeros) > 1 or zeros[0].flat)
    if not edges or len(known) < len(edges):
        return None
    if len(zeros) == len(edges):
        whole = partly and not partly.rows and "axis" in bound and bound["axis"] == NONE
        if whole or (partly and len(edges) > 1):
            # The sum over all of them is not zero.
            return None
        flat = declared.edge == "square" or all(edge.flat for edge in zeros)
        return Edge("zero", flat=flat, partly=partly)
    alike = declared.edge == "linear" and len(edges) == 1 and known[0].kind == "uniform"
    return UNIFORM if alike else None
