"""Collective operations over named axes: where the program itself calls one, a map around it has to
bind the name.
"""

from oakum.values.facts import Facts
from oakum_lint.domain import events
from oakum_lint.domain.frames import Frame, is_seen_to_run, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import Constant, TupleValue, Value
from oakum_lint.syntax import nodes

PARAMETER = "axis_name"
"""How the parameter of each of them is called."""


def _check(
    machine: Machine, _declared: Facts, bound: Bound, places: Places, frame: Frame, node: nodes.Node
) -> None:
    value = bound.get(PARAMETER)
    if value is None or not isinstance(node, nodes.Call) or not is_seen_to_run(frame):
        return
    available = _axes_around(frame)
    if available is None:
        return
    for name in _names(value):
        if name not in available:
            if expects_misfits(machine, frame):
                return
            machine.emit(
                events.UnboundAxis,
                frame,
                node,
                value,
                places.get(PARAMETER, node),
                function=frame.text(node.function),
                axis=name,
                available=tuple(sorted(available)),
            )
            return


def _names(value: Value) -> list[str]:
    """The names of axes, as far as they are known; a number is an axis of the array."""
    parts = value.elements if isinstance(value, TupleValue) else (value,)
    values = (each.value for each in parts or () if isinstance(each, Constant))
    return [name for name in values if isinstance(name, str)]


def _axes_around(frame: Frame) -> frozenset[str] | None:
    """The names of axes that are bound in an activation; None where not all are known."""
    found = frozenset[str]()
    for each in traces(frame.trace):
        if each.presumed or each.hides_axes:
            return None
        found |= each.axes
    return found


GUEST = Guest("axis_names", Moments(public_arguments=(_check,)))
