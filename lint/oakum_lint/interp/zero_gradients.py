"""Whether the gradient of a function is zero on every path."""

from oakum_lint.interp import gradient_events
from oakum_lint.interp.callables import Transformed
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.signatures import signature_of
from oakum_lint.interp.values import NONE, Array, Constant, TupleValue, Value


def check_flatness(machine: Machine, function: Transformed, result: Value, frame: Frame) -> None:
    """Reports a differentiated function whose result has a derivative of zero."""
    if not function.name.endswith("grad"):
        return
    if function.option("has_aux") == Constant(True):
        pair = result.elements if isinstance(result, TupleValue) else None
        result = pair[0] if pair else NONE
    if not isinstance(result, Array) or result.cut is None:
        return
    cut = result.cut
    place = Frame(frame.scope, cut.unit, cut.module, None, caller=frame, guards=frame.guards)
    machine.emit(
        gradient_events.ZeroGradient,
        place,
        cut.node,
        NONE,
        transform=function.name.rpartition(".")[2],
        function=signature_of(machine, function.function).name,
    )
