"""Results that a statement drops, though making them is all that the call does."""

from oakum.values.records import dataclass
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, UpdateRef, Value
from oakum_lint.models.attributes import UPDATES
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class DiscardedUpdate(Event):
    """`target.at[...].method(...)` is a statement of its own; the operand is the array."""

    target: str
    method: str


def _check_update(machine: Machine, _value: Value, frame: Frame, node: nodes.Node) -> None:
    """Reports `x.at[i].set(v)` as a statement: it makes an array that nobody keeps."""
    match node:
        case nodes.Call(
            function=nodes.Attribute(value=nodes.Subscript() as place, attribute=method)
        ) if method in UPDATES:
            reference = machine.look(place, frame)
        case _:
            return
    if isinstance(reference, UpdateRef) and isinstance(reference.array, Array):
        target = place.value.value if isinstance(place.value, nodes.Attribute) else place.value
        machine.emit(
            DiscardedUpdate,
            frame,
            node,
            reference.array,
            target,
            target=frame.text(target),
            method=method,
        )


GUEST = Guest("dropped_results", Moments(dropped=(_check_update,)))
