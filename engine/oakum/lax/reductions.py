"""Reductions, running reductions, sorting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import primitives
from oakum.abstract import reduction, results, sorting
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.primitives.rules import arguments
from oakum.tracing.dtype_requests import requested
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike, DTypeLike, Placement
from oakum.values.declarations import named_as, public
from oakum.values.facts import AbstractRule


def _axes(axes: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(arguments.integer, axes))


def _position(primitive: Primitive, operand: ArrayLike, axis: int, index_dtype: object) -> Any:
    dtype = requested(index_dtype, "argmax")
    return primitive.bind(operand, axes=(arguments.integer(axis),), index_dtype=dtype)


def _sorted(operands: Sequence[Any], dimension: int, is_stable: bool, num_keys: int) -> Any:
    dimension = arguments.axis(dimension, arguments.rank_of(operands[0]))
    return tuple(
        primitives.sorting.sort_p.bind(
            *operands, dimension=dimension, is_stable=is_stable, num_keys=num_keys
        )
    )


@public("lax.argmax", reduction.position, static=("axis",))
def argmax(operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array:
    """Returns the position of the greatest element along an axis."""
    return _position(primitives.reductions.argmax_p, operand, axis, index_dtype)


@public("lax.argmin", reduction.position, static=("axis",))
def argmin(operand: ArrayLike, axis: int, index_dtype: DTypeLike) -> Array:
    """Returns the position of the least element along an axis."""
    return _position(primitives.reductions.argmin_p, operand, axis, index_dtype)


def _running(primitive: Callable[[], Primitive]):
    """Declares a running reduction by its primitive; its signature is inferred."""

    def accumulate(operand: Array, axis: int = 0, reverse: bool = False) -> Array:
        return primitive().bind(operand, axis=int(axis), reverse=bool(reverse))

    static = ("axis", "reverse")
    declared = public(f"lax.{primitive.__name__}", reduction.running_numbers, static=static)
    return declared(named_as(primitive, accumulate))


@_running
def cumlogsumexp() -> Primitive:
    """Computes running logarithms of sums of exponentials along an axis."""
    return primitives.cumulative.cumlogsumexp_p


@_running
def cummax() -> Primitive:
    """Computes running maxima along an axis."""
    return primitives.cumulative.cummax_p


@_running
def cummin() -> Primitive:
    """Computes running minima along an axis."""
    return primitives.cumulative.cummin_p


@_running
def cumprod() -> Primitive:
    """Computes running products along an axis."""
    return primitives.cumulative.cumprod_p


@_running
def cumsum() -> Primitive:
    """Computes running sums along an axis."""
    return primitives.cumulative.cumsum_p


def _over(rule: AbstractRule):
    """Declares a reduction over axes by its rule and its primitive; its signature is inferred."""

    def declare(primitive: Callable[[], Primitive]):
        def reduce(operand: ArrayLike, axes: Sequence[int]) -> Array:
            return primitive().bind(operand, axes=_axes(axes))

        declared = public(f"lax.{primitive.__name__}", rule, static=("axes",))
        return declared(named_as(primitive, reduce))

    return declare


@_over(reduction.reduced_bits)
def reduce_and() -> Primitive:
    """Combines elements along axes with "and"."""
    return primitives.reductions.reduce_and_p


@_over(reduction.reduced_any)
def reduce_max() -> Primitive:
    """Returns the greatest elements along axes."""
    return primitives.reductions.reduce_max_p


@_over(reduction.reduced_any)
def reduce_min() -> Primitive:
    """Returns the least elements along axes."""
    return primitives.reductions.reduce_min_p


@_over(reduction.reduced_bits)
def reduce_or() -> Primitive:
    """Combines elements along axes with "or"."""
    return primitives.reductions.reduce_or_p


@_over(reduction.reduced_numbers)
def reduce_prod() -> Primitive:
    """Multiplies the elements along axes."""
    return primitives.reductions.reduce_prod_p


@public("lax.reduce_sum", reduction.reduced_numbers, static=("axes",))
def reduce_sum(
    operand: ArrayLike, axes: Sequence[int], *, out_sharding: Placement | None = None
) -> Array:
    """Sums the elements along axes."""
    return primitives.reductions.reduce_sum_p.bind(
        operand, axes=_axes(axes), out_sharding=out_sharding
    )


@_over(reduction.reduced_bits)
def reduce_xor() -> Primitive:
    """Combines elements along axes with "exclusive or"."""
    return primitives.reductions.reduce_xor_p


@public("lax.sort", sorting.lax_sort, static=("dimension", "is_stable", "num_keys"))
def sort(
    operand: Array | Sequence[Array], dimension: int = -1, is_stable: bool = True, num_keys: int = 1
) -> Array | tuple[Array, ...]:
    """Sorts along an axis; of several operands the first ones are the keys."""
    if not isinstance(operand, Sequence):
        if num_keys != 1:
            raise ShapeError(
                f"num_keys={num_keys} must equal 1 for a single operand.", hint="Leave it out."
            )
        return _sorted((operand,), dimension, is_stable, 1)[0]
    if not operand:
        raise ShapeError("Sort requires at least one operand", hint="Give an array.")
    if not 1 <= num_keys <= len(operand):
        raise ShapeError(
            f"num_keys={num_keys} must be between 1 and len(operand)={len(operand)}",
            hint="Give the number of operands that are keys.",
        )
    return _sorted(operand, dimension, is_stable, num_keys)


@public("lax.sort_key_val", sorting.sorted_pair, static=("dimension", "is_stable"))
def sort_key_val(
    keys: Array, values: ArrayLike, dimension: int = -1, is_stable: bool = True
) -> tuple[Array, Array]:
    """Sorts keys along an axis, and values in the same order."""
    first, second = _sorted((keys, values), dimension, is_stable, 1)
    return first, second


@public("lax.top_k", sorting.top_k, static=("k", "axis"))
def top_k(operand: ArrayLike, k: int, *, axis: int = -1) -> list[Array]:
    """Returns the greatest elements along the last axis, and their indices."""
    number = arguments.integer(k)
    if number < 0:
        raise ShapeError(
            f"k argument to top_k must be nonnegative, got {number}", hint="Give a positive k."
        )
    axis = arguments.axis(axis, arguments.rank_of(operand))
    return primitives.sorting.top_k_p.bind(operand, k=number, axis=axis)


def _approximate(is_max_k: Callable[[], bool]):
    """Declares an approximate selection by whether it is of the greatest elements; its signature is
    inferred.
    """

    def select(
        operand: Array,
        k: int,
        reduction_dimension: int = -1,
        recall_target: float = 0.95,
        reduction_input_size_override: int = -1,
        aggregate_to_topk: bool = True,
    ) -> list[Array]:
        return primitives.approximation.approx_top_k_p.bind(
            operand,
            k=arguments.integer(k),
            reduction_dimension=arguments.axis(reduction_dimension, arguments.rank_of(operand)),
            recall_target=recall_target,
            is_max_k=is_max_k(),
            reduction_input_size_override=reduction_input_size_override,
            aggregate_to_topk=aggregate_to_topk,
        )

    declared = public(
        f"lax.{is_max_k.__name__}",
        results.Listed(2),
        static=(
            "k",
            "reduction_dimension",
            "recall_target",
            "reduction_input_size_override",
            "aggregate_to_topk",
        ),
    )
    return declared(named_as(is_max_k, select))


@_approximate
def approx_max_k() -> bool:
    """Returns the greatest elements, approximately, and their indices."""
    return True


@_approximate
def approx_min_k() -> bool:
    """Returns the least elements, approximately, and their indices."""
    return False
