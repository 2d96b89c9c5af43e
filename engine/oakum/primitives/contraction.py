"""Contraction: products of two arrays summed over shared axes, for each place of batch axes.

The result has the batch axes first, then the other axes of the first operand, then those of the
second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from oakum import lax
from oakum.abstract import contraction
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError
from oakum.lax.options import DotAlgorithm, DotAlgorithmPreset
from oakum.primitives import conversion
from oakum.primitives.rules.arguments import rank_of, without
from oakum.primitives.rules.derivatives import UndefinedPrimal, is_undefined
from oakum.primitives.rules.lowering import Contracted
from oakum.primitives.rules.numpy_dot_general import Axes, Numbers, contract
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _abstract(
    lhs: ShapedArray,
    rhs: ShapedArray,
    *,
    dimension_numbers: Numbers,
    precision: object,
    preferred_element_type: DType | None,
    out_sharding: object = None,
) -> ShapedArray:
    left, right = (aval.update(dtype=None) for aval in (lhs, rhs))
    arguments = {"lhs": left, "rhs": right, "dimension_numbers": dimension_numbers}
    shape = contraction.dot_general(arguments).shape
    dtype = product_dtype(lhs, rhs, precision, preferred_element_type)
    return ShapedArray(shape, dtype, bool(lhs.weak_type and rhs.weak_type))


def product_dtype(
    lhs: ShapedArray, rhs: ShapedArray, precision: object, preferred: DType | None
) -> DType:
    """Returns the dtype of a product: the preferred one, or the wider of the operands' dtypes."""
    assert lhs.dtype is not None
    assert rhs.dtype is not None
    if lhs.dtype is rhs.dtype and lhs.dtype.kind not in _NO_NUMBERS and preferred is None:
        return lhs.dtype
    ranks = _dtype_rank(lhs.dtype), _dtype_rank(rhs.dtype)
    if ranks[0] == ranks[1] and lhs.dtype is not rhs.dtype:
        raise DTypeError(
            f"lax.dot_general argument type error: {lhs.dtype}, {rhs.dtype}",
            hint="Convert an operand with astype.",
        )
    dtype = lhs.dtype if ranks[0] >= ranks[1] else rhs.dtype
    if preferred is None or preferred is dtype:
        return dtype
    free = isinstance(precision, (DotAlgorithm, DotAlgorithmPreset))
    if not free and dtype.kind is not Kind.FLOAT and _bits(preferred) < _bits(dtype):
        raise DTypeError(
            "`preferred_element_type` must not be narrower than the original type, got "
            f"preferred_element_type of {preferred} for result type of {dtype}.",
            hint=f"Ask for {dtype} or a wider type, and convert the result.",
        )
    return preferred


_NO_NUMBERS = (Kind.KEY, Kind.FLOAT0)


def _bits(dtype: DType) -> int:
    if dtype.kind is Kind.BOOL:
        return 1
    return dtype.bits // 2 if dtype.kind is Kind.COMPLEX else dtype.bits


def _dtype_rank(dtype: DType) -> tuple[Any, ...]:
    """Returns a sort key for the range and precision of a dtype of products."""
    if dtype.kind in _NO_NUMBERS:
        raise DTypeError(f"products of elements of type {dtype} cannot be summed")
    exponent = mantissa = -1
    if dtype.kind in (Kind.FLOAT, Kind.COMPLEX):
        info = host.ml_dtypes.finfo(host.dtype(dtype))
        exponent, mantissa = info.maxexp, info.nmant
    complex_valued = dtype.kind is Kind.COMPLEX
    return complex_valued, exponent, mantissa, _bits(dtype), dtype.kind is not Kind.UINT


def _evaluate(
    np: ModuleType,
    lhs: host.Array,
    rhs: host.Array,
    *,
    dimension_numbers: Numbers,
    precision: object,
    preferred_element_type: DType | None,
    out_sharding: object = None,
) -> Any:
    left, right = (ShapedArray(x.shape, host.read_dtype(x.dtype)) for x in (lhs, rhs))
    dtype = product_dtype(left, right, precision, preferred_element_type)
    return contract(np, lhs, rhs, dimension_numbers, dtype)


def _derive_lhs(
    tangent: ArrayLike, out: ArrayLike, lhs: ArrayLike, rhs: ArrayLike, **params: object
) -> Any:
    return dot_general_p.bind(tangent, rhs, **params)


def _derive_rhs(
    tangent: ArrayLike, out: ArrayLike, lhs: ArrayLike, rhs: ArrayLike, **params: object
) -> Any:
    return dot_general_p.bind(lhs, tangent, **params)


def _transpose(
    cotangent: Array, lhs: object, rhs: object, *, dimension_numbers: Numbers, **params: object
) -> list[Any]:
    if is_undefined(lhs):
        return [transpose_side(cotangent, lhs, rhs, dimension_numbers, params, first=True), None]
    (mine, theirs), (my_batch, their_batch) = dimension_numbers
    swapped = ((theirs, mine), (their_batch, my_batch))
    assert is_undefined(rhs)
    return [None, transpose_side(cotangent, rhs, lhs, swapped, params, first=False)]


def transpose_side(
    cotangent: Array,
    wanted: UndefinedPrimal,
    other: object,
    numbers: Numbers,
    params: dict[str, Any],
    *,
    first: bool,
) -> Any:
    """Returns the cotangent of one operand; `first` says whether its axes come first in
    the result.
    """
    (contracting, their_contracting), (batch, their_batch) = numbers
    aval: ShapedArray = wanted.aval
    kept = without(range(aval.ndim or 0), (*contracting, *batch))
    their_kept = without(range(rank_of(other)), (*their_contracting, *their_batch))
    start = len(batch) + (len(kept) if first else 0)
    theirs = tuple(range(start, start + len(their_kept)))
    places = tuple(range(len(batch)))
    product = dot_general_p.bind(
        cotangent,
        other,
        dimension_numbers=((theirs, their_kept), (places, their_batch)),
        **params,
    )
    paired = sorted(zip(their_contracting, contracting, strict=True))
    order = (*batch, *kept, *(axis for _, axis in paired))
    result = lax.transpose(product, tuple(order.index(axis) for axis in range(len(order))))
    if result.aval.dtype is not aval.dtype:
        result = conversion.convert_element_type_p.bind(
            result, new_dtype=aval.dtype, weak_type=False
        )
    return result


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    dimension_numbers: Numbers,
    **params: object,
) -> tuple[Any, int]:
    (lhs, rhs), (mine, theirs) = operands, dims
    numbers, out = batch_numbers(rank_of(lhs), rank_of(rhs), mine, theirs, dimension_numbers)
    return dot_general_p.bind(lhs, rhs, dimension_numbers=numbers, **params), out


def batch_numbers(
    lhs_rank: int, rhs_rank: int, mine: int | None, theirs: int | None, numbers: Numbers
) -> tuple[Numbers, int]:
    """Returns the dimension numbers of operands with a mapped axis, and where it is in
    the result.
    """
    (contracting, their_contracting), (batch, their_batch) = numbers
    moved, their_moved = moved_axes(contracting, mine), moved_axes(their_contracting, theirs)
    places, their_places = moved_axes(batch, mine), moved_axes(their_batch, theirs)
    if mine is not None and theirs is not None:
        return ((moved, their_moved), ((mine, *places), (theirs, *their_places))), 0
    new = ((moved, their_moved), (places, their_places))
    if mine is not None:
        kept = without(range(lhs_rank), (*moved, *places))
        return new, len(batch) + kept.index(mine)
    assert theirs is not None
    kept = without(range(rhs_rank), (*their_moved, *their_places))
    return new, lhs_rank - len(contracting) + kept.index(theirs)


def moved_axes(axes: Iterable[int], inserted: int | None) -> Axes:
    """Returns the axes of an array after an axis is put into it."""
    return tuple(each + (inserted is not None and each >= inserted) for each in axes)


dot_general_p = Primitive(
    "dot_general",
    lower=Contracted(),
    abstract=_abstract,
    evaluate=_evaluate,
    derivatives=(_derive_lhs, _derive_rhs),
    transpose=_transpose,
    batch=_batch,
)
