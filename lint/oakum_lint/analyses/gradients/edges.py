"""How values stand to the edge of a function's domain."""

from collections.abc import Sequence
from typing import Literal

from oakum.values.records import dataclass, replace
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.domain.facets import Border, Facet
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.values import Array, Constant, Tree, Value

MAX_POLES = 4
_KEPT = ("zero", "uniform", "number")
Pole = tuple[str, frozenset[str]]
"""A function that is singular at an edge, and the names of its argument."""


@dataclass(frozen=True, slots=True)
class Diagonal:
    """Where the elements of one array meet themselves."""

    between: str
    """How those stand that meet: by which indices, and in which maps."""
    rows: bool = False
    """Whether two maps go over rows: where a row meets itself all of it is zero."""


@dataclass(frozen=True, slots=True)
class Edge:
    """How a value stands to the edge of a function's domain: a comparison of some names, a result
    that is singular at the edge by some names, an argument that was kept off it, a multiple of
    zeros that a selection has put there and of what varies, what is nowhere zero, zeros, or one
    number in all elements, which is whole where it is `uniform`.
    """

    kind: Literal[
        "compared", "singular", "guarded", "zeroed", "nonzero", "zero", "uniform", "number"
    ]
    names: frozenset[str] = frozenset()
    """Of what is compared."""
    poles: tuple[Pole, ...] = ()
    """The singular functions of which it was computed; of what is kept off an edge, before that."""
    roots: frozenset[str] = frozenset()
    """Of a root or a length itself: the names of its argument, which is zero where it is."""
    flat: bool = False
    """Of zeros: their derivative is zero too."""
    partly: Diagonal | None = None
    """Of zeros: only some of the elements are, those where each meets itself; None where all are.
    """
    bounds: frozenset[float] = frozenset()
    """Of what was kept off an edge: the numbers that stand for all that is beyond them."""
    zeroed: bool = False
    """Of what was kept off an edge: a selection has put zeros there. It leaves out the derivative
    of what it leaves out, but not that of what the zeros are multiplied with."""
    number: float | None = None
    """What all elements are, if it may be at the edge of a domain: 1, or below zero."""

    @property
    def is_kept_off(self) -> bool:
        """Whether a selection or a bound keeps it off the edge; what meets the zeros of a selection
        is reported itself.
        """
        return self.kind in ("guarded", "zeroed")


class _EdgeFacet(Facet[Edge]):
    """How an array stands to the edge of a domain."""

    __slots__ = ()

    def words(self, content: Edge) -> str:
        names = " and ".join(sorted(content.names))
        match content.kind:
            case "compared":
                return f"compares {names}"
            case "singular":
                return f"infinite derivative of {' and '.join(name for name, _ in content.poles)}"
            case "guarded":
                bounds = " or ".join(f"{bound:g}" for bound in sorted(content.bounds))
                return f"kept off it, at {bounds}" if bounds else "kept off it"
            case "zeroed":
                return "zero where a selection is, times what varies"
            case "nonzero":
                return "nowhere zero"
            case "zero":
                flat = ", with a derivative of zero" if content.flat else ""
                return f"{'zero on the diagonal' if content.partly else 'zero'}{flat}"
            case "uniform" | "number":
                number = "one number" if content.number is None else f"{content.number:g}"
                return f"{number} in all elements"

    def carried(self, values: Sequence[Value], frame: Frame, flat: bool) -> Edge | None:
        if flat or not is_differentiated(frame):
            return None
        edges = [edge for value in values if (edge := self.of(value)) is not None]
        poles = {pole: None for edge in edges for pole in edge.poles}
        if poles:
            return Edge("singular", poles=tuple(poles)[:MAX_POLES])
        if any(edge.kind == "guarded" for edge in edges):
            return Edge("guarded")
        tests = [edge.names for edge in edges if edge.kind == "compared"]
        if not tests:
            return None
        # `&` and its kin ask all that their operands ask; of an interval, `(a <= x) & (x <= b)`,
        # that is x, and no difference of its ends.
        names = tests[0].intersection(*tests) or tests[0].union(*tests)
        return Edge("compared", names)

    def lifted(self, content: Edge, border: Border) -> Edge | None:
        return content if content.kind in _KEPT else None

    def lowered(self, content: Edge, level: int, mapped: bool, derivative: bool) -> Edge | None:
        if content.kind not in _KEPT or not derivative:
            return None
        partly = content.partly
        if mapped and partly is not None:
            # The rows are all there now, and of them one is zero.
            return replace(content, partly=replace(partly, rows=False))
        return content


EDGE = _EdgeFacet("edge of a domain")


def as_array(operand: Value) -> Value:
    """An operand of arithmetic: a part of a tree of which nothing is known is an array there."""
    match operand:
        case Tree(place, level, origin):
            return Array(UNKNOWN_ARRAY, place, level, origin)
        case _:
            return operand


def is_root(exponent: Value) -> bool:
    """Whether a power is a root."""
    number = exponent.value if isinstance(exponent, Constant) else None
    return isinstance(number, float) and 0 < number < 1


def is_singular_power(exponent: object) -> bool:
    """Whether the derivative of a power is infinite at zero."""
    return isinstance(exponent, int | float) and exponent < 1 and exponent != 0


def depends(operand: Array, frame: Frame) -> bool:
    """Whether the value comes from what is differentiated."""
    trace = frame.trace
    if trace is None or not trace.differentiated:
        return False
    return operand.level >= trace.differentiated != operand.apart


def is_presumed(frame: Frame) -> bool:
    """Whether nobody is seen to take the derivative that is taken here."""
    trace = frame.trace
    while trace is not None and not trace.differentiates:
        trace = trace.parent
    return trace is not None and trace.presumed


def is_differentiated(frame: Frame) -> bool:
    """Whether derivatives are taken of what is computed here. Nobody is presumed to take gradients
    through a `while_loop`: going back through one is an error, and no NaN.
    """
    trace, passable = frame.trace, True
    if trace is None or not trace.differentiated:
        return False
    while trace is not None and not trace.differentiates:
        passable = passable and trace.kind != "while_loop"
        trace = trace.parent
    return trace is not None and (passable or not trace.presumed)
