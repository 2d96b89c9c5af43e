"""Logarithms of what floating point rounds to the edge of their domain.

Far from zero `sigmoid` is 0 or 1, `tanh` 1, and `exp` 0 or infinite. Their derivative is zero
there, that of the logarithm infinite, and the product of the two NaN.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial

from oakum.values.facts import Facts
from oakum.values.records import dataclass, replace
from oakum_lint.analyses.gradients.domain_guards import LEAST, as_float, bounded, least_number
from oakum_lint.analyses.gradients.edges import (
    EDGE,
    as_array,
    depends,
    is_differentiated,
    is_presumed,
)
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
    bound: bool = False
    """Whether they are the bounds of a function, beyond which its derivative is zero, too."""

    def moved(self, by: Callable[[float], object], least: float = LEAST) -> "Rounded | None":
        """What an operation makes of the numbers, in floats of which one is the least."""
        found: set[float] = set()
        for number in self.numbers:
            try:
                moved = by(number)
            except ArithmeticError:
                continue
            if isinstance(moved, int | float) and not math.isnan(moved):
                found.add(as_float(moved, least))
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
        varies = _varies(operand, frame) and not _is_bounded(operand)
        numbers = _reached(limits, operand, place, frame) if varies and place is not None else None
        return ROUNDED.put(value, Rounded(spelled, numbers) if numbers else None)
    if declared.edge == "bounds":
        numbers = bounded("bounds", bound.values(), least_number(machine, frame)).bounds
        varies = any(_varies(each, frame) for each in bound.values())
        found = Rounded(spelled, numbers, bound=True) if numbers and varies else None
        return ROUNDED.put(value, found)
    return _met(declared, operand, value, spelled, machine, frame, node)


def _varies(value: Value, frame: Frame) -> bool:
    array = as_array(value)
    return isinstance(array, Array) and depends(array, frame)


def _met(
    declared: Facts,
    operand: Value,
    value: Array,
    spelled: str,
    machine: Machine,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """The result of a function of what is rounded; reports one that has its edge there."""
    rounded = ROUNDED.of(operand)
    if rounded is None or not isinstance(operand, Array):
        return value
    if declared.name in KEEPS_ELEMENTS:
        return ROUNDED.put(value, rounded)
    if declared.name in OPPOSITES:
        return ROUNDED.put(value, rounded.moved(lambda number: -number))
    if declared.name in SQUARES:
        return ROUNDED.put(value, rounded.moved(lambda number: number * number))
    if not depends(operand, frame) or not _meets_edge(declared, rounded):
        return value
    how = {"bounded": True} if rounded.bound else {"rounded": rounded.function}
    emit = partial(
        machine.emit,
        NanGradient,
        frame,
        node,
        operand,
        node,
        function=spelled,
        **how,
    )
    if is_presumed(frame):
        # It is decided at once which of those are reported.
        emit()
        return value
    return bearing(value, wait(machine, frame, node, emit, kept=_is_multiplied(frame)))


def _is_multiplied(frame: Frame) -> bool:
    """Whether the derivative of what a selection leaves out is multiplied by zero, not left out: in
    reverse mode.
    """
    return frame.trace is not None and bool(frame.trace.reversed)


def _meets_edge(declared: Facts, rounded: Rounded) -> bool:
    """Whether a derivative is infinite at a number to which its argument is rounded: of a root of
    what is bounded, too. A bound that is the edge itself is reported as such.
    """
    match declared.edge:
        case "root" if rounded.bound and rounded.summed:
            edges = {0.0}
        case "singular" if rounded.bound:
            edges = {*declared.poles} if rounded.summed else set[float]()
        case "singular" if declared.poles:
            edges = {*declared.poles, math.inf} if rounded.summed else {*declared.poles}
        case _:
            return False
    return not rounded.numbers.isdisjoint(edges)


def _is_bounded(operand: Value) -> bool:
    """Whether what a function gets lies between the limits of another one, `softmax(tanh(x))`: it
    does not come near its own.
    """
    rounded = ROUNDED.of(operand)
    return rounded is not None and len(rounded.numbers) > 1 and all(map(_is_small, rounded.numbers))


def _is_small(number: float) -> bool:
    return abs(number) <= SMALL


def _reached(
    limits: tuple[float, float], operand: Value, place: nodes.Node, frame: Frame
) -> frozenset[float]:
    """To which of its limits a function is rounded. An exponential gets there where its argument is
    the opposite of something, `exp(-x**2)`, or is as it comes; that of a difference may be kept
    from it, `exp(x - x.max())`, as is that of a selection or of what has a bound, and that of a
    small logarithm is none of a program that works.
    """
    below, above = limits
    if not math.isinf(above):
        return frozenset(limits)
    edge = EDGE.of(operand)
    if edge is not None and edge.kind in ("guarded", "zeroed"):
        return frozenset()
    found = {below} if frame.text(place).startswith("-") else set[float]()
    if isinstance(place, nodes.UnaryOperation):
        place = place.operand
    if isinstance(place, nodes.Name | nodes.Attribute):
        found.add(above)
    return frozenset(found)


def _mark_operation(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    frame: Frame,
    _node: nodes.Node,
) -> Array:
    """The result of an operator, with what it is rounded to."""
    one, two = ROUNDED.of(left), ROUNDED.of(right)
    if one is None and two is None:
        return result
    least = least_number(machine, frame)
    first, second = (_number(value, least) for value in (left, right))
    return ROUNDED.put(result, _combined(operator, one, two, first, second, least))


def _combined(
    operator: str,
    one: Rounded | None,
    two: Rounded | None,
    first: float | None,
    second: float | None,
    least: float,
) -> Rounded | None:
    """What is left of what two operands are rounded to, one of which may be a number."""
    if one is not None and second is not None:
        moved = one.moved(lambda number: _computed(operator, number, second), least)
    elif two is not None and first is not None:
        moved = two.moved(lambda number: _computed(operator, first, number), least)
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


def _number(value: Value, least: float) -> float | None:
    match value:
        case Constant(bool()):
            return None
        case Constant(int() | float() as number):
            return as_float(number, least)
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
