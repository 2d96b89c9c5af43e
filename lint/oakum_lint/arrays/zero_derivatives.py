"""Which values have a derivative of zero by what is differentiated, and where it became zero."""

from collections.abc import Iterable

from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum_lint.domain.facets import Border, Facet
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import (
    Array,
    Choice,
    Constant,
    DTypeValue,
    Entries,
    External,
    Items,
    Place,
    Scalar,
    SliceValue,
    TupleValue,
    Value,
)
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts


@dataclass(frozen=True, slots=True)
class Cut:
    """The place of an operation with a derivative of zero, through which all goes that a value has
    from what is differentiated.
    """

    module: Module
    unit: UnitFacts
    node: nodes.Node
    meant: bool = False
    """Whether the operation is there for nothing else: `stop_gradient`."""


class _CutFacet(Facet[Cut]):
    """Where the derivative of an array became zero; without it, the array may have one, or depends
    on nothing.
    """

    __slots__ = ()

    def words(self, content: Cut) -> str:
        line = content.unit.location(content.node.start, content.node.end, "").line
        meant = ", on purpose" if content.meant else ""
        return f"zero since line {line}{meant}"

    def joined(self, first: Cut, second: Cut) -> Cut | None:
        return first

    def widened(self, content: Cut) -> Cut | None:
        return content

    def of_row(self, content: Cut, index: int | None) -> Cut | None:
        return content

    def lifted(self, content: Cut, border: Border) -> Cut | None:
        return content if border.differentiated else None

    def lowered(self, content: Cut, level: int, mapped: bool, derivative: bool) -> Cut | None:
        return content if derivative else None


CUT = _CutFacet("derivative")


def find_cut(
    aval: ShapedArray | None,
    values: Iterable[Value],
    frame: Frame,
    node: nodes.Node | None,
    flat: bool,
) -> Cut | None:
    """Where the derivative of an operation's result became zero; None where it may have one."""
    level = differentiated_level(frame)
    if not level:
        return None
    flat = flat or (aval is not None and aval.dtype is not None and aval.dtype.kind in PLAIN_KINDS)
    found: Cut | None = None
    carried = False
    stack = list(values)
    while stack:
        value = stack.pop()
        parts = _parts(value)
        if parts is not None:
            stack.extend(parts)
        elif (cut := CUT.of(value)) is not None:
            if found is None or found.meant:
                # The likely mistake is the one that is there for something else.
                found = cut
        elif not is_independent(value, level):
            if not flat or not isinstance(value, Array):
                return None
            carried = True
    if carried and node is not None:
        return Cut(frame.module, frame.unit, node)
    return None if carried else found


def _parts(value: Value) -> tuple[Value, ...] | None:
    match value:
        case TupleValue(elements) | Items(elements):
            return elements
        case SliceValue(lower, upper, step):
            return lower, upper, step
        case Entries(known, None):
            return tuple(item for _, item in known)
        case Choice(options):
            return options
        case _:
            return None


def differentiated_level(frame: Frame) -> int:
    """The level of the innermost trace that differentiates what runs in a frame, or 0."""
    return 0 if frame.trace is None else frame.trace.differentiated


def independence(values: Iterable[Value], level: int) -> int:
    """The level, if a result of these values certainly does not depend on what the trace of that
    level differentiates, else 0.
    """
    if not level:
        return 0
    stack = list(values)
    while stack:
        value = stack.pop()
        parts = _parts(value)
        if parts is not None:
            stack.extend(parts)
        elif not is_independent(value, level):
            return 0
    return level


def is_flat(value: Value, level: int) -> bool:
    """Whether a value certainly has a derivative of zero by what the trace of this level
    differentiates.
    """
    return CUT.of(value) is not None or is_independent(value, level)


def is_independent(value: Value, level: int) -> bool:
    """Whether a value certainly does not depend on what the trace of this level differentiates."""
    match value:
        case Constant() | Scalar() | DTypeValue() | External():
            return True
        case Array(_, place, own, apart=apart):
            if CUT.of(value) is not None:
                return False
            return place in (Place.HOST, Place.DEVICE) or 0 < own < level or apart == level
        case _:
            return False


def with_derivative(value: Value) -> Value:
    """Returns the same value, without the knowledge that its derivative is zero."""
    if not isinstance(value, Array) or value.place is Place.HOST:
        return value
    place = Place.ANY if value.place is Place.DEVICE else value.place
    return Array(value.aval, place, value.level, value.origin, beneath=value.beneath)
