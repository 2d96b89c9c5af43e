"""Operations that have no derivative, by what is differentiated: taking it raises. So does forward
mode through a function with a reverse rule of its own.
"""

from typing import Final

from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.analyses.gradients.edges import as_array, depends, is_differentiated, is_presumed
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.arrays.zero_derivatives import CUT
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Transformed
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, Trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import Array, Value
from oakum_lint.jax.static_arguments import positions_in
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.models.operations import WITHOUT_DERIVATIVE
from oakum_lint.models.transforms import REVERSE_RULES
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes

EXACT: Final = frozenset({"jit", "vmap", "checkpoint", "cond", "switch", "map"})
"""Transforms whose functions get tracers of which it is known what they come from."""


@dataclass(frozen=True, slots=True)
class OperationWithoutDerivative(Event):
    """A derivative is taken through a function that has none; `function` is it as the user spelled
    it, `callback` whether it calls back to the host, `reversed` whether it has a reverse rule and
    the derivative is taken in forward mode.
    """

    function: str
    callback: bool = False
    reversed: bool = False


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


def _check_custom(
    machine: Machine, function: Transformed, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports forward mode through a function that has a reverse rule only."""
    trace = frame.trace
    if trace is None or trace.differentiated <= trace.reversed or not is_differentiated(frame):
        return
    if function.name.rpartition(".")[2] not in REVERSE_RULES or not isinstance(node, nodes.Call):
        return
    if is_presumed(frame) or expects_misfits(machine, frame):
        return
    numbers, outside = positions_in(function.option("nondiff_argnums")), _known_level(trace)
    for place, value in enumerate(arguments.positional):
        operand = _varying(machine, value, frame, node, outside)
        if operand is not None and numbers is not None and place not in numbers:
            name = signature_of(machine, function.function).name or frame.text(node.function)
            at = arguments.place(place, "", node)
            details = {"function": name, "reversed": True}
            machine.emit(OperationWithoutDerivative, frame, node, operand, at, **details)
            note_stop(machine, frame, node, "perhaps")
            return


def _known_level(trace: Trace) -> int:
    """Up to which level it is known of each tracer whether it comes from what is differentiated:
    the carry of a loop may be taken to where it does not, and what an unknown transform hands on.
    """
    known, current = trace.level, trace
    while not current.differentiates and current.parent is not None:
        if current.kind not in EXACT:
            known = current.level - 1
        current = current.parent
    return known


def _varying(
    machine: Machine,
    value: Value | None,
    frame: Frame,
    node: nodes.Node,
    known: int | None = None,
) -> Array | None:
    """The first array of an argument that comes from what is differentiated, of those up to the
    `known` level.
    """
    if value is None:
        return None
    for leaf in leaves_of(machine, value, frame, node)[0]:
        array = as_array(leaf)
        if not isinstance(array, Array) or not depends(array, frame) or CUT.of(array) is not None:
            continue
        if known is not None and array.level > known:
            continue
        dtype = array.aval.dtype
        if dtype is None or dtype.kind not in PLAIN_KINDS:
            return array
    return None


GUEST = Guest("missing_rules", Moments(public_arguments=(_check,), custom_called=(_check_custom,)))
