"""Logarithms of what floating point rounds to the edge of their domain.

Far from zero `sigmoid` is 0 or 1, `tanh` 1, and `exp` 0 or infinite. Their derivative is zero
there, that of the logarithm infinite, and the product of the two NaN.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial

from oakum.values.facts import Facts
from oakum.values.records import dataclass, replace
from oakum_lint.analyses.gradients.edges import depends, is_differentiated, is_presumed
from oakum_lint.analyses.gradients.singularities import NanGradient
from oakum_lint.analyses.selections import bearing, wait
from oakum_lint.domain.facets import Border, Facet
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, Constant, Value
from oakum_lint.models.operations import KEEPS_ELEMENTS, LIMITS, OPPOSITES, SQUARES
from oakum_lint.syntax import nodes

SMALL = 3.0
"""An argument up to which no function here is rounded to a limit: `erf` is the first, at 4."""


@dataclass(frozen=True, slots=True)
class Rounded:
    """To which numbers a function was rounded of which an array was computed."""

    function: str
    numbers: frozenset[float]
    summed: bool = False
    """Whether a number was added: the logarithm of an exponential itself is a scale, mostly, and
    its exponent small; in a sum, `1 + exp(x)`, it may be anything."""

    def moved(self, by: Callable[[float], object]) -> "Rounded | None":
        """What an operation makes of the numbers."""
        found: set[float] = set()
        for number in self.numbers:
            try:
                moved = by(number)
            except ArithmeticError:
                continue
            if isinstance(moved, int | float) and not math.isnan(moved):
                found.add(float(moved))
        return replace(self, numbers=frozenset(found)) if found else None

    def in_multiples(self) -> "Rounded | None":
        """What is left in a product or a quotient with something that is not known."""
        kept = self.numbers & {0.0, math.inf}
        return replace(self, numbers=kept) if kept else None


class _RoundedFacet(Facet[Rounded]):
    """To what floating point rounds an array, far from zero."""

    __slots__ = ()

    def words(self, content: Rounded) -> str:
        numbers = " or ".join(f"{number:g}" for number in sorted(content.numbers))
        return f"{numbers}, by {content.function}"

    def of_row(self, content: Rounded, index: int | None) -> Rounded | None:
        return content

    def lifted(self, content: Rounded, border: Border) -> Rounded | None:
        return content

    def lowered(
        self, content: Rounded, level: int, mapped: bool, derivative: bool
    ) -> Rounded | None:
        return content if derivative else None


ROUNDED = _RoundedFacet("rounded to")


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
    """The result of a public function, with what it is rounded to; reports a logarithm of that."""
    if not is_differentiated(frame) or not bound:
        return value
    name, operand = next(iter(bound.items()))
    limits, place = LIMITS.get(declared.name), places.get(name)
    if limits is not None:
        varies = isinstance(operand, Array) and depends(operand, frame) and not _is_bounded(operand)
        numbers = _reached(limits, place, frame) if varies and place is not None else None
        return ROUNDED.put(value, Rounded(spelled, numbers) if numbers else None)
    rounded = ROUNDED.of(operand)
    if rounded is None or not isinstance(operand, Array):
        return value
    if declared.name in KEEPS_ELEMENTS:
        return ROUNDED.put(value, rounded)
    if declared.name in OPPOSITES:
        return ROUNDED.put(value, rounded.moved(lambda number: -number))
    if declared.name in SQUARES:
        return ROUNDED.put(value, rounded.moved(lambda number: number * number))
    if declared.edge != "singular" or not declared.poles or not depends(operand, frame):
        return value
    edges = {*declared.poles, math.inf} if rounded.summed else {*declared.poles}
    if rounded.numbers.isdisjoint(edges):
        return value
    emit = partial(
        machine.emit,
        NanGradient,
        frame,
        node,
        operand,
        node,
        function=spelled,
        rounded=rounded.function,
    )
    if is_presumed(frame):
        # It is decided at once which of those are reported.
        emit()
        return value
    # A selection around it is reported itself.
    return bearing(value, wait(machine, frame, node, emit))


def _is_bounded(operand: Array) -> bool:
    """Whether what a function gets lies between the limits of another one, `softmax(tanh(x))`: it
    does not come near its own.
    """
    rounded = ROUNDED.of(operand)
    return rounded is not None and len(rounded.numbers) > 1 and all(map(_is_small, rounded.numbers))


def _is_small(number: float) -> bool:
    return abs(number) <= SMALL


def _reached(limits: tuple[float, float], place: nodes.Node, frame: Frame) -> frozenset[float]:
    """To which of its limits a function is rounded. An exponential gets there where its argument is
    the opposite of something, `exp(-x**2)`, or is as it comes; that of a difference may be kept
    from it, `exp(x - x.max())`, and that of a small logarithm is none of a program that works.
    """
    below, above = limits
    if not math.isinf(above):
        return frozenset(limits)
    found = {below} if frame.text(place).startswith("-") else set[float]()
    if isinstance(place, nodes.UnaryOperation):
        place = place.operand
    if isinstance(place, nodes.Name | nodes.Attribute):
        found.add(above)
    return frozenset(found)


def _mark_operation(
    _machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    _frame: Frame,
    _node: nodes.Node,
) -> Array:
    """The result of an operator, with what it is rounded to."""
    one, two = ROUNDED.of(left), ROUNDED.of(right)
    if one is None and two is None:
        return result
    return ROUNDED.put(result, _combined(operator, one, two, _number(left), _number(right)))


def _combined(
    operator: str,
    one: Rounded | None,
    two: Rounded | None,
    first: float | None,
    second: float | None,
) -> Rounded | None:
    """What is left of what two operands are rounded to, one of which may be a number."""
    if one is not None and second is not None:
        moved = one.moved(lambda number: _computed(operator, number, second))
    elif two is not None and first is not None:
        moved = two.moved(lambda number: _computed(operator, first, number))
    elif operator == "*" or (operator == "/" and one is not None):
        known = one or two
        return known and known.in_multiples()
    else:
        return None
    return moved and replace(moved, summed=moved.summed or operator in ("+", "-"))


def _computed(operator: str, left: float, right: float) -> object:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "**":
            return left**right
        case _:
            return None


def _number(value: Value) -> float | None:
    match value:
        case Constant(bool()):
            return None
        case Constant(int() | float() as number):
            return float(number)
        case _:
            return None


def _mark_item(_machine: Machine, owner: Array, _index: Value, made: Array, _frame: Frame) -> Array:
    """An item of an array is rounded as the others."""
    return ROUNDED.put(made, ROUNDED.of(owner))


GUEST = Guest(
    "rounded_limits",
    Moments(
        public_result=(_mark_call,),
        operated=(_mark_operation,),
        item_read=(_mark_item,),
    ),
    after=("singularities",),
)
