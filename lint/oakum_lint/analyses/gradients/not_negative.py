"""What is nowhere below zero: it is off each pole that lies there, as that of `log1p` does."""

from collections.abc import Mapping

from oakum.values.facts import Facts
from oakum_lint.analyses.gradients.edges import is_differentiated
from oakum_lint.domain.facets import Flag
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, Constant, Value
from oakum_lint.models.operations import KEEPS_ELEMENTS, NOT_NEGATIVE, SUMS
from oakum_lint.syntax import nodes

_NOT_NEGATIVE = Flag("sign", "nowhere below zero")
"""That no element of an array is below zero."""


def is_not_negative(value: Value) -> bool:
    """Whether no element is known to be below zero, by what has made the array or the number."""
    match value:
        case Constant(int() | float() as number):
            return number >= 0
        case _:
            return _NOT_NEGATIVE.of(value) is not None


def _mark_call(
    _machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    _places: Mapping[str, nodes.Node],
    value: Array,
    _spelled: str,
    frame: Frame,
    _node: nodes.Node,
) -> Array:
    if not is_differentiated(frame):
        return value
    if declared.name in NOT_NEGATIVE:
        return _NOT_NEGATIVE.put(value, True)
    operands = [operand for operand in bound.values() if isinstance(operand, Array)]
    kept = declared.name in KEEPS_ELEMENTS | SUMS and bool(operands)
    return _NOT_NEGATIVE.put(value, True) if kept and all(map(is_not_negative, operands)) else value


def _mark_operation(
    _machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    frame: Frame,
    _node: nodes.Node,
) -> Array:
    if not is_differentiated(frame):
        return result
    match operator:
        case "+" | "*" | "/" if is_not_negative(left) and is_not_negative(right):
            return _NOT_NEGATIVE.put(result, True)
        case "**" if isinstance(right, Constant) and right.value == 2:
            return _NOT_NEGATIVE.put(result, True)
        case _:
            return result


def _mark_item(_machine: Machine, owner: Array, _index: Value, made: Array, _frame: Frame) -> Array:
    return _NOT_NEGATIVE.put(made, True) if is_not_negative(owner) else made


GUEST = Guest(
    "not_negative",
    Moments(
        public_result=(_mark_call,),
        operated=(_mark_operation,),
        item_read=(_mark_item,),
    ),
)
