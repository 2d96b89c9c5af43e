"""Contraction of the host's arrays, by its product of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum.dtypes import DType, Kind
from oakum.primitives.rules.arguments import without
from oakum.primitives.rules.numpy_evaluation import compute_dtype
from oakum.values import host

Axes = tuple[int, ...]
Numbers = tuple[tuple[Axes, Axes], tuple[Axes, Axes]]
"""The contracted axes of both operands, and the batch axes of both."""

_EXACT = (Kind.BOOL, Kind.UINT, Kind.INT)


def contract(
    np: ModuleType, lhs: host.Array, rhs: host.Array, numbers: Numbers, dtype: DType
) -> Any:
    """Returns the products of two arrays summed over the contracted axes, as an array of
    a dtype.
    """
    if numbers == _MATRICES and _is_plain(lhs, rhs, dtype):
        return np.matmul(lhs, rhs)
    (contracting, their_contracting), (batch, their_batch) = numbers
    kept = without(range(lhs.ndim), (*contracting, *batch))
    their_kept = without(range(rhs.ndim), (*their_contracting, *their_batch))
    shape = (
        *(lhs.shape[i] for i in (*batch, *kept)),
        *(rhs.shape[i] for i in their_kept),
    )
    working = working_dtype(np, lhs, rhs, dtype)
    places = _size(lhs, batch)
    summed = _size(lhs, contracting)
    rows, columns = _size(lhs, kept), _size(rhs, their_kept)
    left = lhs.transpose((*batch, *kept, *contracting)).reshape((places, rows, summed))
    right = rhs.transpose((*their_batch, *their_contracting, *their_kept))
    right = right.reshape((places, summed, columns))
    product = multiply(np, left.astype(working, copy=False), right.astype(working, copy=False))
    return product.reshape(shape).astype(host.dtype(dtype), copy=False)


_MATRICES = (((1,), (0,)), ((), ()))
"""The axes of a product of two matrices."""


def _is_plain(lhs: host.Array, rhs: host.Array, dtype: DType) -> bool:
    """Whether the host multiplies two matrices as they are."""
    kind = lhs.dtype
    if lhs.ndim != 2 or rhs.ndim != 2 or kind != rhs.dtype or kind != host.dtype(dtype):
        return False
    return compute_dtype(dtype) is dtype and dtype.kind is not Kind.BOOL


def working_dtype(np: ModuleType, lhs: host.Array, rhs: host.Array, dtype: DType) -> Any:
    """Returns the host's dtype in which products of elements of two arrays are summed."""
    given = [host.read_dtype(each.dtype) for each in (lhs, rhs)]
    if dtype.kind in _EXACT and all(each.kind in _EXACT for each in given):
        return host.dtype(compute_dtype(dtype))
    return np.result_type(*(host.dtype(compute_dtype(each)) for each in (*given, dtype)))


def multiply(np: ModuleType, left: host.Array, right: host.Array) -> Any:
    """Returns the products of batches of matrices; one batch alone is the faster case."""
    if left.shape[0] == 1:
        return np.matmul(left[0], right[0])[None]
    return np.matmul(left, right)


def _size(array: host.Array, axes: Sequence[int]) -> int:
    return math.prod(array.shape[axis] for axis in axes)
