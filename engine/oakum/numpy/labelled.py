"""Sums of products of arrays whose axes have labels: what `einsum` and `matmul` are made of."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from oakum import lax
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments
from oakum.values.records import dataclass

Labels = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Contracting:
    """How products are computed: the precision, the dtype of results, and the contraction used."""

    precision: Any
    dtype: DType
    dot_general: Callable[..., Any]


def _without(labels: Labels, removed: Iterable[Hashable]) -> Labels:
    return tuple(each for each in labels if each not in set(removed))


def add_up(operand: Any, axes: Sequence[int], dtype: DType) -> Any:
    """The sums along axes, at least of a dtype; of booleans, whether one is true."""
    if not axes:
        return operand
    if arguments.is_kind(operand, Kind.BOOL) and dtype.kind is Kind.BOOL:
        return lax.reduce_or(operand, tuple(axes))
    if arguments.promote_dtype(operand, dtype) is not arguments.dtype_of(operand):
        operand = arguments.convert(operand, dtype)
    return lax.reduce_sum(operand, tuple(axes))


def drop(
    operand: Any, labels: Labels, removed: Iterable[Hashable], dtype: DType
) -> tuple[Any, Labels]:
    """The operand summed over the axes of labels."""
    gone = set(removed)
    axes = [i for i, label in enumerate(labels) if label in gone]
    return add_up(operand, axes, dtype), _without(labels, gone)


def single(
    operand: Any, labels: Labels, kept: Iterable[Hashable], dtype: DType
) -> tuple[Any, Labels]:
    """An operand with each label once, summed over the labels that nothing else needs."""
    wanted = set(kept)
    repeated = {label for label in labels if labels.count(label) > 1}
    for label in repeated:
        axes = [i for i, each in enumerate(labels) if each == label]
        operand = lax.select(_on_diagonal(operand, axes), operand, lax.full_like(operand, 0))
        operand = add_up(operand, axes[1:], dtype)
        labels = tuple(each for i, each in enumerate(labels) if i not in axes[1:])
    return drop(operand, labels, set(labels) - wanted, dtype)


def _on_diagonal(operand: Any, axes: Sequence[int]) -> Any:
    shape = arguments.shape_of(operand)
    index = arguments.default_int()
    first = lax.broadcasted_iota(index, shape, axes[0])
    mask = None
    for axis in axes[1:]:
        equal = lax.eq(first, lax.broadcasted_iota(index, shape, axis))
        mask = equal if mask is None else lax.bitwise_and(mask, equal)
    return mask


def _without_ones(
    operand: Any, labels: Labels, other: Any, other_labels: Labels
) -> tuple[Any, Labels]:
    """The operand without the axes of length one that the other operand is longer in."""
    sizes = dict(zip(other_labels, arguments.shape_of(other), strict=True))
    shape = arguments.shape_of(operand)
    gone = [i for i, each in enumerate(labels) if shape[i] == 1 and sizes.get(each, 1) != 1]
    if not gone:
        return operand, labels
    kept = tuple(each for i, each in enumerate(labels) if i not in gone)
    return lax.squeeze(operand, tuple(gone)), kept


def product(
    lhs: Any, lhs_labels: Labels, rhs: Any, rhs_labels: Labels, result: Labels, how: Contracting
) -> Any:
    """The products of two operands, summed over the labels that the result does not have."""
    lhs, lhs_labels = _without_ones(lhs, lhs_labels, rhs, rhs_labels)
    rhs, rhs_labels = _without_ones(rhs, rhs_labels, lhs, lhs_labels)
    lhs, lhs_labels = single(lhs, lhs_labels, (*result, *rhs_labels), how.dtype)
    rhs, rhs_labels = single(rhs, rhs_labels, (*result, *lhs_labels), how.dtype)
    shared = [label for label in lhs_labels if label in rhs_labels]
    batch = [label for label in result if label in shared]
    summed = [label for label in shared if label not in batch]

    def axes(labels: Labels, chosen: Sequence[Hashable]) -> tuple[int, ...]:
        return tuple(labels.index(label) for label in chosen)

    left, right = _without(lhs_labels, shared), _without(rhs_labels, shared)
    if (*batch, *right, *left) == result:
        lhs, rhs, lhs_labels, rhs_labels, left, right = (
            rhs, lhs, rhs_labels, lhs_labels, right, left,
        )  # fmt: skip
    numbers = (
        (axes(lhs_labels, summed), axes(rhs_labels, summed)),
        (axes(lhs_labels, batch), axes(rhs_labels, batch)),
    )
    out = how.dot_general(lhs, rhs, numbers, how.precision, preferred_element_type=how.dtype)
    labels = (*batch, *left, *right)
    return out if labels == result else lax.transpose(out, axes(labels, result))
