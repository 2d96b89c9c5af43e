"""Lengths that something small keeps off zero only after they were computed: their derivative at
zero is NaN all the same.

That something small is added to a length, or bounds it, says that it may be zero.
"""

from collections.abc import Iterable, Mapping

from oakum.values.facts import Facts
from oakum_lint.analyses.gradients.domain_guards import TINY
from oakum_lint.analyses.gradients.edges import EDGE, is_differentiated, is_root
from oakum_lint.analyses.gradients.singularities import NanGradient
from oakum_lint.domain.facets import Facet
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import NONE, Array, Constant, Value
from oakum_lint.syntax import nodes

ORDERS = (NONE, Constant(2), Constant("fro"))
LENGTH = Facet[str]("length")
"""By which function a length was computed that depends on what is differentiated."""


def _mark_call(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    value: Array,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of a public function, marked as a length; reports a bound of one."""
    if not is_differentiated(frame):
        return value
    match declared.edge:
        case "length" if bound.get("ord", NONE) in ORDERS and _is_at_edge(value):
            return LENGTH.put(value, spelled)
        case "root" if _is_at_edge(value) and any(map(_is_of_squares, places.values())):
            return LENGTH.put(value, spelled)
        case "bounds" | "guards":
            _check_bounds(machine, bound.values(), frame, node)
        case _:
            pass
    return value


def _mark_operation(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of an operator, marked as a length; reports a small number added to one."""
    if not isinstance(node, nodes.BinaryOperation) or not is_differentiated(frame):
        return result
    if operator == "+":
        _check_bounds(machine, (left, right), frame, node)
    root = operator == "**" and is_root(right)
    if root and _is_at_edge(result) and _is_of_squares(node.left):
        return LENGTH.put(result, "**")
    return result


def _is_at_edge(result: Array) -> bool:
    """Whether a root may be one of zeros, as far as is known, of what is differentiated."""
    edge = EDGE.of(result)
    return edge is not None and edge.kind == "singular" and bool(edge.roots)


def _is_of_squares(place: nodes.Node) -> bool:
    """Whether an expression is a sum of squares, or the product of something with itself: where it
    is zero, its derivative is, too.
    """
    while isinstance(place, nodes.Call) and place.arguments:
        place = place.arguments[0]
    match place:
        case nodes.BinaryOperation(operator="**", right=nodes.Constant(value=2)):
            return True
        case nodes.BinaryOperation(
            operator="*" | "@",
            left=nodes.Name(identifier=left),
            right=nodes.Name(identifier=right),
        ):
            return left == right
        case _:
            return False


def _check_bounds(
    machine: Machine, operands: Iterable[Value], frame: Frame, node: nodes.Node
) -> None:
    """Reports a length that is kept off zero by something small."""
    values = tuple(operands)
    if not any(_is_small(value) for value in values):
        return
    for value in values:
        function = LENGTH.of(value)
        if function is not None and isinstance(value, Array):
            machine.emit(NanGradient, frame, node, value, node, function=function, small=True)
            return


def _is_small(value: Value) -> bool:
    match value:
        case Constant(int() | float() as number):
            return 0 < number <= TINY
        case _:
            return False


GUEST = Guest(
    "small_bounds",
    Moments(public_result=(_mark_call,), operated=(_mark_operation,)),
    after=("singularities",),
)
