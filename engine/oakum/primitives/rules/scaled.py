"""Products of small floats with scales: runs of a contracted axis share one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import dtypes, lax
from oakum.errors import ShapeError
from oakum.primitives.rules.arguments import shape_of
from oakum.typing import ArrayLike, DTypeLike

Axes = tuple[int, ...]
Numbers = tuple[tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]]


def scaled_product(
    lhs: ArrayLike,
    rhs: ArrayLike,
    lhs_scale: ArrayLike | None,
    rhs_scale: ArrayLike | None,
    numbers: Numbers | None,
    dtype: DTypeLike | None,
) -> Any:
    """Returns the contraction of two arrays, each multiplied by its scale in bfloat16."""
    if numbers is None:
        numbers = _plain_numbers(len(shape_of(lhs)))
    (mine, theirs), batch = numbers
    _check_ranks([x for x in (lhs, rhs, lhs_scale, rhs_scale) if x is not None])
    left = _scaled("LHS", lhs, lhs_scale, mine)
    right = _scaled("RHS", rhs, rhs_scale, theirs)
    numbers = ((mine, theirs), batch)
    return lax.dot_general(left, right, numbers, preferred_element_type=dtype)


def _plain_numbers(rank: int) -> Numbers:
    if rank < 2:
        raise ShapeError(
            "scaled_dot does not support 0-rank and 1-rank operands.", hint="Give matrices."
        )
    batch = tuple(range(rank - 2))
    return ((rank - 1,), (rank - 2,)), (batch, batch)


def _check_ranks(operands: list[Any]) -> None:
    ranks = [len(shape_of(each)) for each in operands]
    if len(set(ranks)) > 1:
        raise ShapeError(
            f"All input tensors must have the same rank. Got ranks {ranks}.",
            hint="Give operands and scales the same number of axes.",
        )


def _scaled(
    side: str, operand: ArrayLike, scale: ArrayLike | None, contracting: Sequence[int]
) -> Any:
    small = lax.convert_element_type(operand, dtypes.bfloat16)
    if scale is None:
        return small
    shape, given = shape_of(operand), shape_of(scale)
    for axis, (size, count) in enumerate(zip(shape, given, strict=True)):
        _check_scale(side, axis, size, count, axis in contracting)
    factors = lax.convert_element_type(scale, dtypes.bfloat16)
    for axis in contracting:
        sizes = shape_of(factors)
        run = shape[axis] // sizes[axis]
        wide = (*sizes[: axis + 1], run, *sizes[axis + 1 :])
        kept = tuple(i for i in range(len(wide)) if i != axis + 1)
        merged = (*sizes[:axis], shape[axis], *sizes[axis + 1 :])
        factors = lax.reshape(lax.broadcast_in_dim(factors, wide, kept), merged)
    return lax.mul(small, factors)


def _check_scale(side: str, axis: int, size: int, count: int, contracted: bool) -> None:
    reason = None
    if not contracted:
        if count != size:
            reason = f"{side} dim {axis} of size {size} does not match scale dim size {count}."
    elif size % count:
        reason = (
            f"{side} contracting dim {axis} of size {size} must be divisible by its scale's dim "
            f"size {count}."
        )
    elif size // count < 2:
        reason = (
            f"The ratio of {side} contracting dim {axis} to its scale's dim size ({size // count}) "
            "must be at least 2."
        )
    if reason is not None:
        raise ShapeError(reason, hint="Give one scale for each run of elements.")
