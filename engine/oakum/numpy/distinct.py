"""The distinct elements of an array, or slices along an axis, in order.

Elements are sorted, and the first of each run of equal ones is kept.
"""

from __future__ import annotations

import math
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """What beside the elements is asked for."""

    index: bool = False
    inverse: bool = False
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Runs:
    """Slices along a first axis in order, with the order and the starts of runs of equal ones."""

    sorted: Any
    order: Any
    starts: Any


def runs(a: Any, *, equal_nan: bool) -> Runs:
    """The slices along the first axis, sorted."""
    shape = arguments.shape_of(a)
    if arguments.is_kind(a, Kind.COMPLEX):
        a = jnp.where(jnp.isnan(a), complex(math.nan), a)
    width = math.prod(shape[1:])
    if width == 0:
        order = lax.full((1,), 0, arguments.default_int())
    else:
        rows = lax.reshape(a, (shape[0], width))
        keys = [lax.index_in_dim(rows, i, 1, keepdims=False) for i in range(width)]
        order = jnp.lexsort(keys[::-1])
    ordered = a[order] if shape[0] else a
    count = arguments.shape_of(ordered)[0]
    if not arguments.size_of(ordered):
        return Runs(ordered, order, lax.full((count,), False, bool))
    before, after = ordered[:-1], ordered[1:]
    differ = lax.ne(after, before)
    if equal_nan and arguments.is_inexact(a):
        both = lax.bitwise_and(lax.ne(after, after), lax.ne(before, before))
        differ = lax.bitwise_and(differ, lax.bitwise_not(both))
    differ = lax.reduce_or(differ, tuple(range(1, len(shape))))
    return Runs(ordered, order, lax.concatenate([lax.full((1,), True, bool), differ], 0))


def unique(
    ar: Any,
    asked: Asked,
    axis: int | None,
    *,
    equal_nan: bool,
    size: int | None,
    fill_value: Any,
) -> Any:
    """The distinct elements, or slices along an axis, and what else is asked for."""
    (a,) = arguments.arrays("unique", ar)
    if size is None:
        arguments.demand(a, "jnp.unique() without size")
    else:
        size = arguments.size(size, "size of jnp.unique()")
    shape = arguments.shape_of(a)
    if axis is None:
        a, place = lax.reshape(a, (arguments.size_of(a),)), 0
    else:
        place = arguments.axis(axis, len(shape))
    length = arguments.shape_of(a)[place]
    if length == 0 and size and fill_value is None:
        raise ValueError(
            "jnp.unique: for zero-sized input with nonzero size argument, fill_value must be "
            "specified"
        )
    found = runs(jnp.moveaxis(a, place, 0), equal_nan=equal_nan)
    firsts = jnp.nonzero(found.starts, size=size)[0]
    values = jnp.moveaxis(_values(found, firsts, size, fill_value), 0, place)
    result = [values, *_details(found, firsts, asked, size, length)]
    if asked.inverse and axis is None:
        at = 2 if asked.index else 1
        result[at] = lax.reshape(result[at], shape)
    return result[0] if len(result) == 1 else tuple(result)


def _values(found: Runs, firsts: Any, size: int | None, fill_value: Any) -> Any:
    values = found.sorted[firsts] if arguments.size_of(found.sorted) else found.sorted
    if size is None or fill_value is None:
        return values
    fill = arguments.convert(fill_value, arguments.dtype_of(values))
    shape = arguments.shape_of(values)
    if not shape[0]:
        return arguments.broadcast_to(fill, (size, *shape[1:]))
    there = lax.lt(jnp.arange(size), jnp.sum(found.starts))
    return jnp.where(lax.expand_dims(there, tuple(range(1, len(shape)))), values, fill)


def _details(found: Runs, firsts: Any, asked: Asked, size: int | None, length: int) -> list[Any]:
    """The first indices, the indices that rebuild the array, and how often each element occurs."""
    index = arguments.default_int()
    empty = not arguments.size_of(found.sorted)
    result: list[Any] = []
    if asked.index:
        result.append(found.order if empty else found.order[firsts])
    if asked.inverse:
        inverse = lax.full((length,), 0, index)
        if not empty:
            runs_before = lax.cumsum(lax.convert_element_type(found.starts, index))
            inverse = inverse.at[found.order].set(
                lax.sub(runs_before, lax.full_like(runs_before, 1))
            )
        result.append(inverse)
    if asked.counts:
        result.append(_counts(found, firsts, size, length))
    return result


def _counts(found: Runs, firsts: Any, size: int | None, length: int) -> Any:
    index = arguments.default_int()
    if not arguments.size_of(found.sorted):
        return lax.full((1,) if length else (0,), length, index)
    end = lax.full((1,), length, index)
    if size is None:
        return jnp.diff(jnp.concatenate([firsts, end]))
    # Beyond the last run each start is the end.
    starts = jnp.nonzero(found.starts, size=size + 1, fill_value=length)[0]
    return jnp.diff(starts)
