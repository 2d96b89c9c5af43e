"""Exponentials that overflow: of an argument from which nothing was subtracted, and that nothing
bounds. A softmax by hand is infinity over infinity there, and zero over zero far below.
"""

import math
from collections.abc import Mapping, Sequence

from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.analyses.nan_values.free_arguments import is_free
from oakum_lint.analyses.nan_values.infinite_products import InvalidNumber
from oakum_lint.analyses.selections import bearing, wait
from oakum_lint.domain.facets import Border, Facet, Flag
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, Constant, Value
from oakum_lint.models.operations import BOUNDS_RESULT, KEEPS_ELEMENTS, LIMITS, LOGARITHMS, SUMS
from oakum_lint.syntax import nodes
from oakum_lint.text.names import HAS_EXPONENTIAL


@dataclass(frozen=True, slots=True)
class Exponential:
    """Which exponential an array was computed of, by sums and products."""

    function: str
    argument: str
    scope: int
    summed: bool = False


class _SmallFacet(Flag):
    """That something was subtracted from an array, or that it was bounded."""

    __slots__ = ()

    def joined(self, first: bool, second: bool) -> bool:
        return True

    def alone(self, content: bool) -> bool:
        return True

    def widened(self, content: bool) -> bool:
        return True

    def carried(self, values: Sequence[Value], frame: Frame, flat: bool) -> bool:
        return True

    def lifted(self, content: bool, border: Border) -> bool:
        return True

    def lowered(self, content: bool, level: int, mapped: bool, derivative: bool) -> bool:
        return True


class _ExponentialFacet(Facet[Exponential]):
    """Of which exponential an array was computed that may overflow."""

    __slots__ = ()

    def words(self, content: Exponential) -> str:
        return f"{content.function} of {content.argument}"

    def of_row(self, content: Exponential, index: int | None) -> Exponential:
        return content


_SMALL = _SmallFacet("size", "kept small")
_EXPONENTIAL = _ExponentialFacet("exponential")


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
    """The result of a public function, with the exponential that it has; reports a logarithm."""
    if not bound:
        return value
    name, operand = next(iter(bound.items()))
    known = _EXPONENTIAL.of(operand)
    if known is not None and known.summed and declared.name in LOGARITHMS:
        _report(machine, "logarithm", known, operand, frame, node)
    if declared.name in BOUNDS_RESULT:
        return _SMALL.put(value, True) if _matters(machine, frame) else value
    if math.isinf(LIMITS.get(declared.name, (0.0, 0.0))[1]) and name in places:
        place = places[name]
        if _SMALL.of(operand) is None and is_free(machine, place, frame):
            found = Exponential(spelled, frame.text(place), frame.scope.uid)
            return _EXPONENTIAL.put(value, found)
        return value
    if known is None:
        return value
    if declared.name in SUMS:
        summed = Exponential(known.function, known.argument, known.scope, summed=True)
        return _EXPONENTIAL.put(value, summed)
    return _EXPONENTIAL.put(value, known) if declared.name in KEEPS_ELEMENTS else value


def _matters(machine: Machine, frame: Frame) -> bool:
    """Whether an exponential is taken in a file that imports connect with this one."""
    return bool(machine.project.units_that_say(frame.module, HAS_EXPONENTIAL))


def _mark_operation(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of an operator, with the exponential that it has; reports a quotient of one."""
    one, two = _EXPONENTIAL.of(left), _EXPONENTIAL.of(right)
    match operator:
        case "/" if one is not None and two is not None and isinstance(left, Array):
            if (one.argument, one.scope) != (two.argument, two.scope):
                return result
            if two.summed:
                _report(machine, "quotient", one, left, frame, node)
                return result
            # A selection may take a sigmoid below zero alone from it.
            waits = wait(
                machine, frame, node, lambda: _report(machine, "quotient", one, left, frame, node)
            )
            return bearing(result, waits)
        case "-" if one is None and two is None:
            shifts = not isinstance(left, Constant) and not isinstance(right, Constant)
            return _SMALL.put(result, True) if shifts and _matters(machine, frame) else result
        case "+" | "-" | "*" | "@":
            return _EXPONENTIAL.put(result, one or two)
        case "/":
            return _EXPONENTIAL.put(result, one)
        case _:
            return result


def _report(
    machine: Machine,
    how: str,
    known: Exponential,
    operand: Value,
    frame: Frame,
    node: nodes.Node,
) -> None:
    details = {"function": known.function, "argument": known.argument}
    machine.emit(InvalidNumber, frame, node, operand, node, how=how, **details)


def _mark_item(_machine: Machine, owner: Array, _index: Value, made: Array, _frame: Frame) -> Array:
    """Items of an exponential overflow as the others."""
    return _EXPONENTIAL.put(made, _EXPONENTIAL.of(owner))


GUEST = Guest(
    "overflowing_exponentials",
    Moments(
        public_result=(_mark_call,),
        operated=(_mark_operation,),
        item_read=(_mark_item,),
    ),
)
