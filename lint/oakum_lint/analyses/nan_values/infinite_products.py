"""Infinity times what is left of a mask, `(1 - mask) * -inf`, as a bias of attention is made: it is
NaN where that is zero.

A boolean itself times a number is compiled to a selection, which is none.
"""

import math
from collections.abc import Mapping
from typing import Literal

from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.domain.events import Event
from oakum_lint.domain.facets import Border, Flag
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, Constant, Value
from oakum_lint.models.operations import (
    KEEPS_ELEMENTS,
    MULTIPLIES,
    OPPOSITES,
    REPEATS,
)
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class InvalidNumber(Event):
    """An operation gives NaN or infinity for some operands: a `product` of infinity and what is
    zero somewhere, a `quotient` of what overflows by what overflows with it, or the `logarithm` of
    a sum that overflows. `function` is what overflows, of `argument`.
    """

    how: Literal["product", "quotient", "logarithm"]
    function: str = ""
    argument: str = ""


class _RestFacet(Flag):
    """That an array is what another one leaves of one, or the opposite of that: mostly zero in some
    elements.
    """

    __slots__ = ()

    def joined(self, first: bool, second: bool) -> bool:
        return True

    def lifted(self, content: bool, border: Border) -> bool:
        return True

    def lowered(self, content: bool, level: int, mapped: bool, derivative: bool) -> bool:
        return True


_REST = _RestFacet("rest", "of one")


def _is_rest(value: Value) -> bool:
    return _REST.of(value) is not None


def _mark_call(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    value: Array,
    _spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of a public function, as a rest; reports a product."""
    if declared.name in MULTIPLIES:
        operands = [*bound.values()][:2]
        if len(operands) == 2:
            _check_product(machine, operands[0], operands[1], frame, node)
        return value
    if declared.name in KEEPS_ELEMENTS | REPEATS | OPPOSITES:
        operand = next(iter(bound.values()), None)
        if operand is not None and _is_rest(operand):
            return _REST.put(value, True)
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
    """The result of an operator, as a rest; reports a product."""
    match operator, left:
        case "-", Constant(0 | 1):
            # The rest, and the opposite of one.
            kept = left.value == 1 or _is_rest(right)
            return _REST.put(result, True) if kept else result
        case "*", _:
            _check_product(machine, left, right, frame, node)
            both = _is_rest(left) and _is_rest(right)
            return _REST.put(result, True) if both else result
        case _:
            return result


def _check_product(
    machine: Machine, left: Value, right: Value, frame: Frame, node: nodes.Node
) -> None:
    """Reports a product of infinity and what is left of a mask."""
    for factor, other in ((left, right), (right, left)):
        if _is_infinite(factor) and _is_rest(other):
            machine.emit(InvalidNumber, frame, node, other, node, how="product")
            return


def _is_infinite(value: Value) -> bool:
    match value:
        case Constant(float() as number):
            return math.isinf(number)
        case _:
            return False


def _mark_item(_machine: Machine, owner: Array, _index: Value, made: Array, _frame: Frame) -> Array:
    """Items of a rest are one, too."""
    return _REST.put(made, True) if _REST.of(owner) is not None else made


GUEST = Guest(
    "infinite_products",
    Moments(
        public_result=(_mark_call,),
        operated=(_mark_operation,),
        item_read=(_mark_item,),
    ),
)
