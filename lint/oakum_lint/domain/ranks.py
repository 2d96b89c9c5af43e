"""Ranks: arrays of unknown shape that a name holds have a number of dimensions of their own,
by which other arrays can be recognised.

Invariant: a name for a number of dimensions is made once, when a statement that binds a name runs,
and means nothing to other activations: what is remembered of a call holds none.
"""

from oakum.values import dims
from oakum.values.avals import RankedArray, ShapedArray, with_rank
from oakum.values.records import replace
from oakum_lint.domain.values import Array, Place, TupleValue, Value, next_uid


def with_own_rank(value: Value) -> Value:
    """A value that a name is bound to: an array of unknown shape gets a rank, if it has none."""
    if not isinstance(value, Array) or value.place is Place.HOST:
        return value
    if value.aval.shape is not None or isinstance(value.aval, RankedArray):
        return value
    return replace(value, aval=with_rank(value.aval, dims.symbol(f"rank{next_uid()}")))


def without_rank(value: Value) -> Value:
    """The value as it is elsewhere: arrays without the names of their ranks, also in a tuple."""
    match value:
        case Array(RankedArray() as aval):
            return replace(value, aval=unranked(aval))
        case TupleValue(elements, rest, cls) if elements and any(map(is_ranked, elements)):
            return TupleValue(tuple(map(without_rank, elements)), rest, cls)
        case _:
            return value


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
