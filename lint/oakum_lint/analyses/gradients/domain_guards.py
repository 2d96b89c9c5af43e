"""What keeps an argument within bounds: it is off an edge, unless a bound is the edge itself."""

from collections.abc import Iterable

from oakum.values.facts import EdgeRole
from oakum_lint.analyses.gradients.edges import EDGE, Edge
from oakum_lint.domain.values import Array, Constant, Value


def bounded(role: EdgeRole, operands: Iterable[Value]) -> Edge:
    """How the result of `maximum`, `clip` and the like stands to an edge.

    What is beyond a bound has a derivative of zero, and where that is a factor, an infinite
    derivative at the bound makes NaN.

    >>> bounded("bounds", (Constant(0.0),)).bounds
    frozenset({0.0})
    """
    numbers: set[float] = set()
    for operand in operands:
        match operand:
            case Array():
                edge = EDGE.of(operand)
                if edge is not None and edge.kind == "guarded" and not edge.bounds:
                    # Something else keeps it off the edge.
                    return edge
            case Constant(int() | float() as number) if not isinstance(number, bool):
                numbers.add(float(number))
            case _:
                pass
    return Edge("guarded", bounds=frozenset(numbers) if role == "bounds" else frozenset())


def is_bounded_at(edge: Edge | None, poles: Iterable[float]) -> bool:
    """Whether what is beyond a bound was put where a derivative is infinite."""
    return edge is not None and not edge.bounds.isdisjoint(poles)
