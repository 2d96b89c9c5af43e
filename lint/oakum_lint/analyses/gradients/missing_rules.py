"""Operations that have no derivative, by what is differentiated: taking it raises."""

from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.analyses.gradients.edges import as_array, depends, is_differentiated, is_presumed
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.arrays.zero_derivatives import CUT
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import Array, Value
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.models.operations import WITHOUT_DERIVATIVE
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class OperationWithoutDerivative(Event):
    """A derivative is taken through a function that has none; `function` is it as the user spelled
    it, `callback` whether it calls back to the host.
    """

    function: str
    callback: bool


def _check(
    machine: Machine, declared: Facts, bound: Bound, places: Places, frame: Frame, node: nodes.Node
) -> None:
    parameters = WITHOUT_DERIVATIVE.get(declared.name)
    if parameters is None or not isinstance(node, nodes.Call) or not is_differentiated(frame):
        return
    if is_presumed(frame) or expects_misfits(machine, frame):
        # Whether anybody takes a derivative of it is not known, or a handler asks whether it can.
        return
    for name in parameters:
        operand = _varying(machine, bound.get(name), frame, node)
        if operand is not None:
            machine.emit(
                OperationWithoutDerivative,
                frame,
                node,
                operand,
                places.get(name, node),
                function=frame.text(node.function),
                callback=declared.transform is not None,
            )
            note_stop(machine, frame, node, "perhaps")
            return


def _varying(machine: Machine, value: Value | None, frame: Frame, node: nodes.Node) -> Array | None:
    """The first array of an argument that comes from what is differentiated."""
    if value is None:
        return None
    for leaf in leaves_of(machine, value, frame, node)[0]:
        array = as_array(leaf)
        if not isinstance(array, Array) or not depends(array, frame) or CUT.of(array) is not None:
            continue
        dtype = array.aval.dtype
        if dtype is None or dtype.kind not in PLAIN_KINDS:
            return array
    return None


GUEST = Guest("missing_rules", Moments(public_arguments=(_check,)))
