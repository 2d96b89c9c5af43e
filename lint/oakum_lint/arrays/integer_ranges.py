"""The integers of an index that are known without being one constant: the least and the greatest of
an array that is written out, of `arange`, of the counter of a loop.
"""

from collections.abc import Mapping

from oakum_lint.domain.facets import Border, Facet
from oakum_lint.domain.values import Constant, Items, TupleValue, Value
from oakum_lint.models.operations import MAKES_OF_DATA, MAKES_RANGE

MAX_NUMBERS = 4_096
Range = tuple[int, int]
"""The least and the greatest of some integers."""


class _RangeFacet(Facet[Range]):
    """Which integers are among the elements of an array."""

    __slots__ = ()

    def words(self, content: Range) -> str:
        return f"from {content[0]} to {content[1]}"

    def lifted(self, content: Range, border: Border) -> Range | None:
        return None if border.forget_shape else content


RANGE = _RangeFacet("integers")


def span_of(name: str, bound: Mapping[str, Value]) -> tuple[int, int] | None:
    """The least and the greatest number of an array that a function makes."""
    if name in MAKES_OF_DATA:
        return _span_of_data(bound.get("object") or bound.get("a"))
    if name in MAKES_RANGE:
        return _span_of_range(*(bound.get(part) for part in ("start", "stop", "step")))
    return None


def span_between(lower: Value | None, upper: Value | None) -> tuple[int, int] | None:
    """The numbers that a counter takes on."""
    first, end = integer(lower), integer(upper)
    return None if first is None or end is None or first >= end else (first, end - 1)


def shifted(operator: str, left: Value, right: Value) -> tuple[int, int] | None:
    """The numbers of a sum or difference with a constant."""
    if (known := RANGE.of(left)) is not None:
        number = integer(right)
    elif operator == "+" and (known := RANGE.of(right)) is not None:
        number = integer(left)
    else:
        return None
    if number is None or operator not in ("+", "-"):
        return None
    number = number if operator == "+" else -number
    return known[0] + number, known[1] + number


def integer(value: Value | None) -> int | None:
    """A known integer."""
    match value:
        case Constant(int() as number) if not isinstance(number, bool):
            return number
        case _:
            return None


def _span_of_data(data: Value | None) -> tuple[int, int] | None:
    if not isinstance(data, TupleValue | Items) or not data.elements:
        return None
    numbers: list[int] = []
    stack: list[Value] = list(data.elements)
    while stack and len(numbers) < MAX_NUMBERS:
        part = stack.pop()
        number = integer(part)
        if number is not None:
            numbers.append(number)
        elif isinstance(part, TupleValue | Items) and part.elements:
            stack.extend(part.elements)
        else:
            return None
    return (min(numbers), max(numbers)) if numbers and not stack else None


def _span_of_range(
    start: Value | None, stop: Value | None, step: Value | None
) -> tuple[int, int] | None:
    if isinstance(step, Constant) and step.value not in (None, 1):
        return None
    if stop is None or (isinstance(stop, Constant) and stop.value is None):
        return span_between(Constant(0), start)
    return span_between(start, stop)
