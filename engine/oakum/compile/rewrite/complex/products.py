"""Contractions, convolutions and reductions of complex numbers on their parts.

Multiplying by a complex number is multiplying a pair by a two-by-two matrix. So a complex
contraction is a real one with pairs summed along one more axis: one operand is read as it lies in
memory, the smaller one is expanded to matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import lax
from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.rewrite.complex.complex_arithmetic import map_parts, mul
from oakum.compile.rewrite.complex.complex_pair import Pair, Rows, matrices, size_of
from oakum.compile.rewrite.rewriter import real_of
from oakum.dtypes import DType
from oakum.lax.options import ConvDimensionNumbers
from oakum.primitives.contraction import dot_general_p
from oakum.primitives.convolution import conv_general_dilated_p
from oakum.primitives.rules.arguments import without
from oakum.primitives.rules.numpy_dot_general import Axes, Numbers


def contracted(
    lhs: Rows,
    rhs: Rows,
    *,
    dimension_numbers: Numbers,
    preferred_element_type: DType | None,
    **params: object,
) -> Pair | Rows:
    """Returns the contraction of two complex arrays."""
    wanted = {**params, "preferred_element_type": _real(preferred_element_type)}
    (mine, theirs), (batch, their_batch) = dimension_numbers
    swapped = ((theirs, mine), (their_batch, batch))
    if _is_across(lhs, rhs, dimension_numbers):
        return _cross(lhs, rhs, dimension_numbers, wanted)
    if _is_across(rhs, lhs, swapped):
        found = _cross(rhs, lhs, swapped, wanted)
        places, others = len(batch), len(shape_of(rhs.array.aval)) - 1 - len(theirs)
        shape = shape_of(found.real.aval)
        ones = others - places
        turned = (*shape[:places], *shape[places + ones :], *[1] * ones)
        return map_parts(lambda part: lax.reshape(part, turned), found)
    if size_of(lhs.array.aval) < size_of(rhs.array.aval):
        matrix, grown = _matrix(lhs, mine, batch, first=True)
        contracting = (grown.contracting, (*theirs, _last(rhs.array)))
        numbers = (contracting, (grown.batch, their_batch))
        found = dot_general_p.bind(matrix, rhs.array, dimension_numbers=numbers, **wanted)
        return _apart(found, len(batch))
    matrix, grown = _matrix(rhs, theirs, their_batch, first=False)
    contracting = ((*mine, _last(lhs.array)), grown.contracting)
    numbers = (contracting, (batch, grown.batch))
    return Rows(dot_general_p.bind(lhs.array, matrix, dimension_numbers=numbers, **wanted))


def _real(dtype: DType | None) -> DType | None:
    return None if dtype is None else real_of(dtype)


def _last(x: Array) -> int:
    return len(shape_of(x.aval)) - 1


def _is_across(vector: Rows, matrix: Rows, numbers: Numbers) -> bool:
    """Returns whether one operand has a single position along its own axes, and the other one's own
    axes are innermost.
    """
    first, second = (shape_of(x.array.aval)[:-1] for x in (vector, matrix))
    own, kept = _keep(first, *_side(numbers, 0)), _keep(second, *_side(numbers, 1))
    return all(first[axis] == 1 for axis in own) and len(second) - 1 in kept


def _cross(lhs: Rows, rhs: Rows, numbers: Numbers, wanted: dict[str, Any]) -> Pair:
    """Returns products of vectors and columns of matrices, from the products of both parts with
    both parts.
    """
    found = dot_general_p.bind(lhs.array, rhs.array, dimension_numbers=numbers, **wanted)
    given = _apart(found, _last(lhs.array) - len(numbers[0][0]))
    first, second = (_apart(part, _last(part)) for part in (given.real, given.imag))
    return Pair(lax.sub(first.real, second.imag), lax.add(first.imag, second.real))


def is_inner(lhs: Sequence[int], rhs: Sequence[int], numbers: Numbers) -> bool:
    """Returns whether a contraction leaves only batch axes."""
    return not _keep(lhs, *_side(numbers, 0)) and not _keep(rhs, *_side(numbers, 1))


def _side(numbers: Numbers, place: int) -> tuple[Axes, Axes]:
    """Returns the summed axes and those of the batch of one operand."""
    return numbers[0][place], numbers[1][place]


def _keep(shape: Sequence[int], contracting: Axes, batch: Axes) -> Axes:
    return without(range(len(shape)), (*contracting, *batch))


def inner(
    lhs: Pair,
    rhs: Pair,
    *,
    dimension_numbers: Numbers,
    preferred_element_type: DType | None,
    **_: object,
) -> Pair:
    """Returns the inner products of vectors, which need not be in memory."""
    (mine, theirs), (batch, their_batch) = dimension_numbers
    dtype = _real(preferred_element_type)

    def ordered(axes: Axes) -> Callable[[Any], Any]:
        def order(part: Array) -> Any:
            moved = lax.transpose(part, axes)
            return moved if dtype is None else lax.convert_element_type(moved, dtype)

        return order

    lhs, rhs = (
        map_parts(ordered((*batch, *mine)), lhs),
        map_parts(ordered((*their_batch, *theirs)), rhs),
    )
    axes = tuple(range(len(batch), len(batch) + len(mine)))
    return map_parts(lambda part: lax.reduce_sum(part, axes), mul(lhs, rhs))


class _Grown:
    """Axes of an array after two more came in; that of products is the first or last kept one."""

    def __init__(self, rank: int, contracting: Axes, batch: Axes, *, first: bool) -> None:
        kept = without(range(rank), (*contracting, *batch))
        slots = [[axis] for axis in range(rank)]
        given, result = [rank], [rank + 1]
        # Pairs lie behind the last summed axis: both become one where they are packed.
        where = slots.index([max(contracting)]) + 1 if contracting else len(slots)
        slots.insert(where, given)
        if kept:
            edge = min(kept) if first else max(kept)
            where = slots.index([edge]) + (0 if first else 1)
        else:
            where = len(slots)
        slots.insert(where, result)
        order = [axis for slot in slots for axis in slot]
        self.given, self.result = order.index(rank), order.index(rank + 1)
        self.contracting: Axes = (*(order.index(a) for a in contracting), self.given)
        self.batch: Axes = tuple(order.index(a) for a in batch)


def _matrix(x: Rows, contracting: Axes, batch: Axes, *, first: bool) -> tuple[Any, _Grown]:
    grown = _Grown(_last(x.array), contracting, batch, first=first)
    return matrices(x.pair, grown.given, grown.result), grown


def _apart(x: Array, axis: int) -> Pair:
    """Returns the parts that lie along an axis."""
    shape = shape_of(x.aval)
    rest = (*shape[:axis], *shape[axis + 1 :])
    real, imag = (
        lax.reshape(lax.slice_in_dim(x, part, part + 1, axis=axis), rest) for part in range(2)
    )
    return Pair(real, imag)


def convolved(
    lhs: Rows,
    rhs: Rows,
    *,
    dimension_numbers: ConvDimensionNumbers,
    preferred_element_type: DType | None,
    **params: object,
) -> Pair:
    """Returns complex convolutions: each feature becomes two, one per part."""
    images, filters, out = dimension_numbers
    axis = images[1]
    rank = _last(lhs.array)
    order = (*range(axis + 1), rank, *range(axis + 1, rank))
    doubled = _merge(lax.transpose(lhs.array, order), axis)
    result, given = filters[:2]
    places = (given + 1 + (result < given), result + 1 + (given < result))
    matrix = matrices(rhs.pair, *places)
    for axis in sorted((given, result), reverse=True):
        matrix = _merge(matrix, axis + (axis > min(given, result)))
    found = conv_general_dilated_p.bind(
        doubled,
        matrix,
        dimension_numbers=dimension_numbers,
        preferred_element_type=_real(preferred_element_type),
        **params,
    )
    shape = shape_of(found.aval)
    axis = out[1]
    split = (*shape[:axis], shape[axis] // 2, 2, *shape[axis + 1 :])
    return _apart(lax.reshape(found, split), axis + 1)


def _merge(x: Array, axis: int) -> Any:
    """Returns an axis made one with that behind it."""
    shape = shape_of(x.aval)
    return lax.reshape(x, (*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :]))


def multiplied(x: Pair, *, axes: Sequence[int], **_: object) -> Pair:
    """Returns the product of all elements along axes, by halving."""
    shape = shape_of(x.real.aval)
    kept = without(range(len(shape)), axes)
    count = math.prod(shape[a] for a in axes)
    rows = (count, *(shape[a] for a in kept))
    x = map_parts(lambda part: lax.reshape(lax.transpose(part, (*axes, *kept)), rows), x)
    if not count:
        return Pair(
            lax.full(rows[1:], 1, x.real.aval.dtype), lax.full(rows[1:], 0, x.real.aval.dtype)
        )
    while count > 1:
        half = count // 2
        found = mul(_rows(x, 0, half), _rows(x, half, 2 * half))
        if count % 2:
            last = _rows(x, count - 1, count)
            found = Pair(
                lax.concatenate([found.real, last.real], 0),
                lax.concatenate([found.imag, last.imag], 0),
            )
        x, count = found, half + count % 2
    return map_parts(lambda part: lax.reshape(part, rows[1:]), x)


def _rows(x: Pair, start: int, stop: int) -> Pair:
    return map_parts(lambda part: lax.slice_in_dim(part, start, stop), x)


RULES: Final[dict[str, Callable[..., Any]]] = {
    "dot_general": contracted,
    "inner dot_general": inner,
    "conv_general_dilated": convolved,
    "reduce_prod": multiplied,
}
"""The operations by name; contractions and convolutions take pairs beside each other."""
