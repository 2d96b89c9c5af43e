"""Ranks: arrays of unknown shape that a name holds have a number of dimensions of their own,
by which other arrays can be recognised.

Invariant: a name for a number of dimensions is made once, when a statement that binds a name runs,
and means nothing to other activations: what is remembered of a call holds none.
"""

import operator

from oakum.values import dims
from oakum.values.avals import RankedArray, ShapedArray, with_rank
from oakum.values.records import replace
from oakum_lint.domain.values import (
    Array,
    Choice,
    Entries,
    Items,
    Place,
    TupleValue,
    Value,
    next_uid,
)


def with_own_rank(value: Value) -> Value:
    """A value that a name is bound to: an array of unknown shape gets a rank, if it has none."""
    if not isinstance(value, Array) or value.place is Place.HOST:
        return value
    if value.aval.shape is not None or isinstance(value.aval, RankedArray):
        return value
    return replace(value, aval=with_rank(value.aval, dims.symbol(f"rank{next_uid()}")))


def without_rank(value: Value) -> Value:
    """The value as it is elsewhere: arrays without the names of their ranks, also in what holds
    them.
    """
    match value:
        case Array(RankedArray() as aval):
            return replace(value, aval=unranked(aval))
        case TupleValue(elements, rest):
            now, others = _all_without(elements), without_rank(rest)
            same = now is elements and others is rest
            return value if same else TupleValue(now, others, value.cls)
        case Items(elements, rest, first=first):
            now, others, begun = _all_without(elements), without_rank(rest), _all_without(first)
            if now is elements and others is rest and begun is first:
                return value
            return replace(value, elements=now, rest=others, first=begun or ())
        case Entries(known, rest):
            held = tuple([item for _, item in known])
            now, others = _all_without(held) or (), None if rest is None else without_rank(rest)
            if now is held and others is rest:
                return value
            keys = [key for key, _ in known]
            return Entries(tuple(zip(keys, now, strict=True)), others)
        case Choice(options):
            now = _all_without(options)
            return value if now is options or now is None else Choice(now)
        case _:
            return value


def _all_without(values: tuple[Value, ...] | None) -> tuple[Value, ...] | None:
    """The values without the names of their ranks; themselves where none has one."""
    if not values:
        return values
    now = tuple(map(without_rank, values))
    return values if all(map(operator.is_, now, values)) else now


def is_ranked(value: Value) -> bool:
    """Whether the value is an array of unknown shape with a rank."""
    return isinstance(value, Array) and isinstance(value.aval, RankedArray)


def is_of_any_rank(value: Value) -> bool:
    """Whether the value is an array whose least number of dimensions is not even known."""
    match value:
        case Array(RankedArray(rank=dims.SymbolicDim(terms=((names, 1),)))):
            return len(names) == 1
        case _:
            return False


def unranked(aval: ShapedArray) -> ShapedArray:
    """The aval without a rank."""
    return aval.update() if isinstance(aval, RankedArray) else aval
