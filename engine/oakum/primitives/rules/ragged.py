"""Products of groups of various sizes, as contractions of masked arrays.

The sizes of the groups cut one axis of the first operand into runs. Where it is a free axis, each
group has a matrix of its own; where it is contracted, each group has a result of its own; where it
is a batch axis, the groups make no difference.
"""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.lax.options import RaggedDotDimensionNumbers
from oakum.primitives.rules.arguments import dtype_of, shape_of, without
from oakum.typing import ArrayLike

Axes = tuple[int, ...]


def _unfit(reason: str) -> ShapeError:
    return ShapeError(reason, hint="See the axes that ragged_dot_dimension_numbers names.")


def ragged_product(
    lhs: ArrayLike,
    rhs: ArrayLike,
    sizes: Array,
    numbers: RaggedDotDimensionNumbers,
    options: dict[str, Any],
) -> Any:
    """Returns the contraction of two arrays whose groups have these sizes."""
    (mine, theirs), (batch, their_batch) = numbers.dot_dimension_numbers
    axis = _ragged_axis(numbers, len(shape_of(lhs)))
    prefix = _prefix(axis, len(shape_of(lhs)), batch, mine)
    sizes = _checked_sizes(sizes, tuple(shape_of(lhs)[i] for i in prefix))
    groups = shape_of(sizes)[-1]
    _check_groups(numbers, axis, shape_of(rhs), groups)
    if axis in batch:
        return lax.dot_general(lhs, rhs, numbers.dot_dimension_numbers, **options)
    left = _masked(lhs, axis, sizes, prefix)
    mine, batch = _moved(mine), _moved(batch)
    if axis + 1 not in mine:
        contracted = ((*mine, 0), (*theirs, numbers.rhs_group_dimensions[0]))
        return lax.dot_general(left, rhs, (contracted, (batch, their_batch)), **options)
    their_axis = theirs[mine.index(axis + 1)]
    their_prefix = _prefix(their_axis, len(shape_of(rhs)), their_batch, theirs)
    right = _masked(rhs, their_axis, sizes, their_prefix)
    batches = ((0, *batch), (0, *_moved(their_batch)))
    return lax.dot_general(left, right, ((mine, _moved(theirs)), batches), **options)


def _moved(axes: Axes) -> Axes:
    return tuple(axis + 1 for axis in axes)


def _ragged_axis(numbers: RaggedDotDimensionNumbers, rank: int) -> int:
    if len(numbers.lhs_ragged_dimensions) != 1:
        raise _unfit("ragged_dot_general expects exactly one lhs ragged dimension.")
    axis = numbers.lhs_ragged_dimensions[0]
    _check_axis(axis, rank, "lhs ragged dimension", "lhs")
    return axis


def _check_axis(axis: int, rank: int, what: str, side: str) -> None:
    if not 0 <= axis < rank:
        raise _unfit(
            f"ragged_dot_general requires {what} numbers to be nonnegative and less than the "
            f"number of axes of the {side} value, got {axis} for {side} of rank {rank}."
        )


def _prefix(axis: int, rank: int, batch: Axes, contracting: Axes) -> Axes:
    """Returns the axes for each place of which the groups may have other sizes."""
    if axis in batch:
        return batch[: batch.index(axis)]
    free = without(range(rank), (*batch, *contracting))
    rest = contracting if axis in contracting else free
    return (*batch, *rest[: rest.index(axis)])


def _checked_sizes(sizes: Array, prefix: Axes) -> Any:
    shape = shape_of(sizes)
    if not shape:
        raise _unfit("expected rank of group_sizes to be >=1.")
    expected = (*prefix, shape[-1])
    if len(shape) == 1:
        return lax.broadcast(sizes, prefix)
    if shape != expected:
        raise _unfit(f"expected group_sizes to have shape {expected}, got {shape}.")
    return sizes


def _check_groups(numbers: RaggedDotDimensionNumbers, axis: int, rhs: Axes, groups: int) -> None:
    (mine, theirs), (batch, their_batch) = numbers.dot_dimension_numbers
    given = numbers.rhs_group_dimensions
    if axis in mine or axis in batch:
        if given:
            raise _unfit(
                "ragged_dot_general requires zero group dimensions in the rhs when lhs ragged "
                "dimension is contracting or batch."
            )
        return
    if len(given) != 1:
        raise _unfit(
            "ragged_dot_general requires exactly one rhs group dimension when lhs ragged "
            "dimension is noncontracting."
        )
    _check_axis(given[0], len(rhs), "rhs group dimension", "rhs")
    if given[0] in (*theirs, *their_batch):
        raise _unfit(
            "ragged_dot_general requires rhs group dimension numbers to be distinct from "
            "contracting and batch dimensions."
        )
    if rhs[given[0]] != groups:
        raise _unfit(f"expected rhs group dimension size to be {groups}, got {rhs[given[0]]}.")


def _masked(operand: ArrayLike, axis: int, sizes: Array, prefix: Axes) -> Any:
    """Returns the array for each group, zero outside of it, with the groups first."""
    shape = (shape_of(sizes)[-1], *shape_of(operand))
    last = len(prefix)
    ends = lax.cumsum(sizes, axis=last)
    order = sorted(range(last), key=lambda i: prefix[i])
    places = (0, *(prefix[i] + 1 for i in order))
    starts, ends = (
        lax.broadcast_in_dim(lax.transpose(bound, (last, *order)), shape, places)
        for bound in (lax.sub(ends, sizes), ends)
    )
    position = lax.broadcasted_iota(dtype_of(sizes), shape, axis + 1)
    inside = lax.bitwise_and(lax.ge(position, starts), lax.lt(position, ends))
    spread = lax.broadcast_in_dim(operand, shape, tuple(range(1, len(shape))))
    return lax.select(inside, spread, lax.full_like(spread, 0))
