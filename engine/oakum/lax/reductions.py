"""Reductions, running reductions, sorting."""

from __future__ import annotations

from collections.abc import Sequence

from oakum.abstract import pairs, reshaping, results, sorting, strict
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike, Placement


@public("lax.argmax", strict.position, static=("axis",))
def argmax(operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array:
    """Gives the position of the greatest element along an axis."""
    ...


@public("lax.argmin", strict.position, static=("axis",))
def argmin(operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array:
    """Gives the position of the least element along an axis."""
    ...


@public("lax.cumlogsumexp", reshaping.keeps, static=("axis", "reverse"))
def cumlogsumexp(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Computes running logarithms of sums of exponentials along an axis."""
    ...


@public("lax.cummax", reshaping.keeps, static=("axis", "reverse"))
def cummax(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Computes running maxima along an axis."""
    ...


@public("lax.cummin", reshaping.keeps, static=("axis", "reverse"))
def cummin(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Computes running minima along an axis."""
    ...


@public("lax.cumprod", reshaping.keeps, static=("axis", "reverse"))
def cumprod(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Computes running products along an axis."""
    ...


@public("lax.cumsum", reshaping.keeps, static=("axis", "reverse"))
def cumsum(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
    """Computes running sums along an axis."""
    ...


@public("lax.reduce_and", strict.reduce_axes, static=("axes",))
def reduce_and(operand: ArrayLike, axes: Sequence[int]) -> Array:
    """Combines elements along axes with "and"."""
    ...


@public("lax.reduce_max", strict.reduce_axes, static=("axes",))
def reduce_max(operand: ArrayLike, axes: Sequence[int]) -> Array:
    """Gives the greatest elements along axes."""
    ...


@public("lax.reduce_min", strict.reduce_axes, static=("axes",))
def reduce_min(operand: ArrayLike, axes: Sequence[int]) -> Array:
    """Gives the least elements along axes."""
    ...


@public("lax.reduce_or", strict.reduce_axes, static=("axes",))
def reduce_or(operand: ArrayLike, axes: Sequence[int]) -> Array:
    """Combines elements along axes with "or"."""
    ...


@public("lax.reduce_prod", strict.reduce_axes, static=("axes",))
def reduce_prod(operand: ArrayLike, axes: Sequence[int]) -> Array:
    """Multiplies the elements along axes."""
    ...


@public("lax.reduce_sum", strict.reduce_axes, static=("axes",))
def reduce_sum(
    operand: ArrayLike, axes: Sequence[int], *, out_sharding: Placement | None = None
) -> Array:
    """Sums the elements along axes."""
    ...


@public("lax.reduce_xor", strict.reduce_axes, static=("axes",))
def reduce_xor(operand: ArrayLike, axes: Sequence[int]) -> Array:
    """Combines elements along axes with "exclusive or"."""
    ...


@public("lax.sort", results.first, static=("dimension", "is_stable", "num_keys"))
def sort(
    operand: Array | Sequence[Array], dimension: int = -1, is_stable: bool = True, num_keys: int = 1
) -> Array | tuple[Array, ...]:
    """Sorts along an axis; of several operands the first ones are the keys."""
    ...


@public("lax.sort_key_val", pairs.sorted_pair, static=("dimension", "is_stable"))
def sort_key_val(
    keys: Array, values: ArrayLike, dimension: int = -1, is_stable: bool = True
) -> tuple[Array, Array]:
    """Sorts keys along an axis, and values in the same order."""
    ...


@public("lax.top_k", sorting.top_k, static=("k", "axis"))
def top_k(operand: ArrayLike, k: int, *, axis: int = -1) -> tuple[Array, Array]:
    """Gives the greatest elements along the last axis, and their indices."""
    ...


@public(
    "lax.approx_max_k",
    results.arrays(2),
    static=(
        "k",
        "reduction_dimension",
        "recall_target",
        "reduction_input_size_override",
        "aggregate_to_topk",
    ),
)
def approx_max_k(
    operand: Array,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
) -> tuple[Array, Array]:
    """Gives the greatest elements, approximately, and their indices."""
    ...


@public(
    "lax.approx_min_k",
    results.arrays(2),
    static=(
        "k",
        "reduction_dimension",
        "recall_target",
        "reduction_input_size_override",
        "aggregate_to_topk",
    ),
)
def approx_min_k(
    operand: Array,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
) -> tuple[Array, Array]:
    """Gives the least elements, approximately, and their indices."""
    ...
