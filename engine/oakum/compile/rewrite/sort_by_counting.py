"""Sorts of short lines by counting: each element counts those that come before it, and each place
finds the element that has counted so many. That is done for all of them at once, where comparisons
are many and cheap.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from oakum import dtypes, lax
from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.operations import NATIVE
from oakum.compile.rewrite import rewriter
from oakum.compile.rewrite.expand_primitives import inline, stage_function
from oakum.dtypes import Kind
from oakum.primitives.sorting import take_along
from oakum.tracing.ir import ClosedJaxpr, Equation
from oakum.tracing.trace import aval_of


def sort_by_counting(closed: ClosedJaxpr, longest: int) -> ClosedJaxpr:
    """Returns the program with sorts of lines of at most so many elements as comparisons, in loops
    and branches too.
    """

    def counted(eqn: Equation) -> ClosedJaxpr | None:
        if eqn.primitive.name != "sort" or not _is_short(eqn, longest):
            return None
        function = functools.partial(_sort, **eqn.params)
        return stage_function(function, [atom.aval for atom in eqn.inputs], "sort")

    def rewrite(each: ClosedJaxpr) -> ClosedJaxpr:
        is_sorting = any(eqn.primitive.name == "sort" for eqn in each.eqns)
        return inline(each, counted) if is_sorting else each

    return rewriter.rewrite_all(closed, rewrite)


def _is_short(eqn: Equation, longest: int) -> bool:
    avals = [atom.aval for atom in eqn.inputs]
    axis: int = eqn.params["dimension"]
    length: int = shape_of(avals[0])[axis]
    return length <= longest and all(aval.dtype in NATIVE for aval in avals)


def _sort(*operands: Array, dimension: int, num_keys: int, is_stable: bool) -> Sequence[Any]:
    """Sorts along an axis; equal elements keep their order, whether that is asked for or not."""
    del is_stable
    shape: tuple[int, ...] = operands[0].shape
    pairs = (*shape, shape[dimension])

    def own(x: Array) -> Any:
        return lax.broadcast_in_dim(x, pairs, tuple(range(len(shape))))

    def others(x: Array) -> Any:
        """The elements along the new last axis, for each element along the old one."""
        rest = [axis for axis in range(len(shape)) if axis != dimension]
        return lax.broadcast_in_dim(
            lax.transpose(x, (*rest, dimension)), pairs, (*rest, len(shape))
        )

    places = lax.broadcasted_iota(dtypes.int32, shape, dimension)
    before = lax.lt(others(places), own(places))
    for key in reversed(operands[:num_keys]):
        first, second = others(key), own(key)
        tied = lax.bitwise_and(_is_equal(first, second), before)
        before = lax.bitwise_or(_is_less(first, second), tied)
    last = (len(shape),)
    rank = lax.reduce_sum(lax.convert_element_type(before, dtypes.int32), last)
    numbers = others(places)
    found = lax.select(lax.eq(others(rank), own(places)), numbers, lax.full_like(numbers, 0))
    order = lax.reduce_sum(found, last)
    return [take_along(x, order, dimension) for x in operands]


def _is_less(x: Array, y: Array) -> Any:
    if not _is_float(x):
        return lax.lt(x, y)
    return lax.bitwise_or(lax.lt(x, y), lax.bitwise_and(_is_nan(y), lax.bitwise_not(_is_nan(x))))


def _is_equal(x: Array, y: Array) -> Any:
    if not _is_float(x):
        return lax.eq(x, y)
    return lax.bitwise_or(lax.eq(x, y), lax.bitwise_and(_is_nan(x), _is_nan(y)))


def _is_nan(x: Array) -> Any:
    return lax.ne(x, x)


def _is_float(x: Array) -> bool:
    dtype = aval_of(x).dtype
    return dtype is not None and dtype.kind is Kind.FLOAT
