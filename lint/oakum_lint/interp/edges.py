"""Functions at the edge of their domain, where a derivative is infinite and a gradient NaN."""

import re
from collections.abc import Iterable, Mapping

from oakum.facts import Facts
from oakum.records import replace
from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import Array, Edge, Value

SINGULAR = frozenset(
    {
        "numpy.log",
        "numpy.log2",
        "numpy.log10",
        "numpy.sqrt",
        "numpy.reciprocal",
        "numpy.arccos",
        "numpy.arcsin",
        "numpy.acos",
        "numpy.asin",
        "numpy.divide",
        "numpy.true_divide",
        "numpy.linalg.norm",
        "lax.log",
        "lax.sqrt",
        "lax.rsqrt",
    }
)
"""Functions whose derivative is infinite somewhere: by their last operand."""
GUARDING = frozenset(
    {"numpy.select", "numpy.clip", "numpy.maximum", "numpy.minimum", "lax.clamp", "lax.max"}
)
SELECTING = {"numpy.where": ("condition", "x", "y"), "lax.select": ("pred", "on_true", "on_false")}
ZEROS = frozenset({"numpy.zeros", "numpy.zeros_like"})
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
    if not isinstance(value, Array):
        return value
    if declared.name in ZEROS:
        return replace(value, edge=Edge("zero"))
    if not _is_differentiated(frame):
        return value
    if declared.name in SELECTING:
        _check_selection(machine, SELECTING[declared.name], bound, places, frame, node)
        return replace(value, edge=Edge("guarded"))
    if declared.name in GUARDING:
        return replace(value, edge=Edge("guarded"))
    operands = [
        (name, item) for name, item in bound.items() if isinstance(item, Array) and name in places
    ]
    if declared.name not in SINGULAR or not operands:
        return value
    name, operand = operands[-1]
    if declared.name == "numpy.linalg.norm" and operand.edge == Edge("zero"):
        machine.emit(
            events.NanGradient, frame, node, operand, places[name], function=spelled, names=()
        )
        return value
    return singular(value, operand, places[name], spelled, frame)


def _check_selection(
    machine: Machine,
    parameters: tuple[str, str, str],
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    frame: Frame,
    node: nodes.Node,
) -> None:
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
