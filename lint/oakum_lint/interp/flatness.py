"""Which values have a derivative of zero by what is differentiated, and where it became zero."""

from collections.abc import Iterable

from oakum.avals import ShapedArray
from oakum.dtypes import Kind
from oakum_lint.facts import nodes
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.values import (
    Array,
    Choice,
    Constant,
    Cut,
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

PLAIN_KINDS = (Kind.BOOL, Kind.INT, Kind.UINT)
"""Kinds of dtypes that have no derivative."""


def find_cut(
    aval: ShapedArray | None,
    values: Iterable[Value],
    frame: Frame,
    node: nodes.Node | None,
    flat: bool,
) -> Cut | None:
    """Where the derivative of an operation's result became zero; None where it may have one."""
    if frame.trace is None or not frame.trace.differentiated:
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
        elif isinstance(value, Array) and value.cut is not None:
            found = value.cut
        elif not _is_independent(value, frame.trace.differentiated):
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


def _is_independent(value: Value, level: int) -> bool:
    """Whether a value certainly does not depend on what the trace of this level differentiates."""
    match value:
        case Constant() | Scalar() | DTypeValue() | External():
            return True
        case Array(_, place, own):
            return place in (Place.HOST, Place.DEVICE) or 0 < own < level
        case _:
            return False


def with_derivative(value: Value) -> Value:
    """The same value, of which it is not known that its derivative is zero."""
    if not isinstance(value, Array) or value.place is Place.HOST:
        return value
    place = Place.ANY if value.place is Place.DEVICE else value.place
    return Array(value.aval, place, value.level, value.origin, beneath=value.beneath)
