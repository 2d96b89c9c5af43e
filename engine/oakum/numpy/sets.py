"""Sets of elements."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import results, sorting
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments, concatenation
from oakum.typing import ArrayLike
from oakum.values.declarations import public
from oakum.values.facts import AbstractRule, DynamicSize
from oakum.values.records import dataclass


def _sizable(
    name: str, rule: AbstractRule, operands: tuple[str, ...], static: tuple[str, ...] = ()
):
    """Declares a function whose result has as many elements as its operands decide, or `size`."""
    return public(
        name,
        rule,
        static=static,
        sizes=("size",),
        dynamic_size=DynamicSize("size", operands),
    )


@_sizable(
    "numpy.unique",
    sorting.unique,
    ("ar",),
    static=("return_index", "return_inverse", "return_counts", "axis", "equal_nan"),
)
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
    sorted: bool = True,
) -> Any:
    """Returns the distinct elements, sorted."""
    return _unique(
        ar,
        _Asked(return_index, return_inverse, return_counts),
        axis,
        equal_nan=equal_nan,
        size=size,
        fill_value=fill_value,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """What beside the elements is asked for."""

    index: bool = False
    inverse: bool = False
    counts: bool = False


def _unique(
    ar: Any,
    asked: _Asked,
    axis: int | None,
    *,
    equal_nan: bool,
    size: int | None,
    fill_value: object,
) -> Any:
    """Returns the distinct elements, or slices along an axis, and what else is asked for."""
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
    found = _runs(jnp.moveaxis(a, place, 0), equal_nan=equal_nan)
    firsts = jnp.nonzero(found.starts, size=size)[0]
    values = jnp.moveaxis(_values(found, firsts, size, fill_value), 0, place)
    result = [values, *_details(found, firsts, asked, size, length)]
    if asked.inverse and axis is None:
        at = 2 if asked.index else 1
        result[at] = lax.reshape(result[at], shape)
    return result[0] if len(result) == 1 else tuple(result)


def _details(
    found: _Runs, firsts: object, asked: _Asked, size: int | None, length: int
) -> list[Any]:
    """Returns the first indices, the indices that rebuild the array, and how often each element
    occurs.
    """
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


def _counts(found: _Runs, firsts: Any, size: int | None, length: int) -> Any:
    index = arguments.default_int()
    if not arguments.size_of(found.sorted):
        return lax.full((1,) if length else (0,), length, index)
    end = lax.full((1,), length, index)
    if size is None:
        return jnp.diff(jnp.concatenate([firsts, end]))
    # Beyond the last run each start is the end.
    starts = jnp.nonzero(found.starts, size=size + 1, fill_value=length)[0]
    return jnp.diff(starts)


@dataclass(frozen=True, slots=True)
class _Runs:
    """Slices along a first axis in order, with the order and the starts of runs of equal ones."""

    sorted: Any
    order: Any
    starts: Any


def _values(found: _Runs, firsts: object, size: int | None, fill_value: object) -> Any:
    values = found.sorted[firsts] if arguments.size_of(found.sorted) else found.sorted
    if size is None or fill_value is None:
        return values
    fill = arguments.convert(fill_value, arguments.dtype_of(values))
    shape = arguments.shape_of(values)
    if not shape[0]:
        return arguments.broadcast_to(fill, (size, *shape[1:]))
    there = lax.lt(jnp.arange(size), jnp.sum(found.starts))
    return jnp.where(lax.expand_dims(there, tuple(range(1, len(shape)))), values, fill)


def _runs(a: Array, *, equal_nan: bool) -> _Runs:
    """Returns the slices along the first axis, sorted."""
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
        return _Runs(ordered, order, lax.full((count,), False, bool))
    before, after = ordered[:-1], ordered[1:]
    differ = lax.ne(after, before)
    if equal_nan and arguments.is_inexact(a):
        both = lax.bitwise_and(lax.ne(after, after), lax.ne(before, before))
        differ = lax.bitwise_and(differ, lax.bitwise_not(both))
    differ = lax.reduce_or(differ, tuple(range(1, len(shape))))
    return _Runs(ordered, order, lax.concatenate([lax.full((1,), True, bool), differ], 0))


@_sizable("numpy.unique_all", results.Arrays(4), ("x",))
def unique_all(
    x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Any:
    """Returns the distinct elements with their indices, inverse and counts."""
    asked = _Asked(index=True, inverse=True, counts=True)
    found = _unique(x, asked, None, equal_nan=False, size=size, fill_value=fill_value)
    return _UniqueAllResult(*found)


class _UniqueAllResult(NamedTuple):
    """What `unique_all` gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


@_sizable("numpy.unique_counts", results.Arrays(2), ("x",))
def unique_counts(
    x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Any:
    """Returns the distinct elements with their counts."""
    asked = _Asked(counts=True)
    found = _unique(x, asked, None, equal_nan=False, size=size, fill_value=fill_value)
    return _UniqueCountsResult(*found)


class _UniqueCountsResult(NamedTuple):
    """What `unique_counts` gives."""

    values: Array
    counts: Array


@_sizable("numpy.unique_inverse", results.Arrays(2), ("x",))
def unique_inverse(
    x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Any:
    """Returns the distinct elements with the indices that rebuild the array."""
    asked = _Asked(inverse=True)
    found = _unique(x, asked, None, equal_nan=False, size=size, fill_value=fill_value)
    return _UniqueInverseResult(*found)


class _UniqueInverseResult(NamedTuple):
    """What `unique_inverse` gives."""

    values: Array
    inverse_indices: Array


@_sizable("numpy.unique_values", results.array, ("x",))
def unique_values(
    x: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Array:
    """Returns the distinct elements."""
    asked = _Asked()
    return _unique(x, asked, None, equal_nan=False, size=size, fill_value=fill_value)


@_sizable("numpy.union1d", sorting.set_operation, ("ar1", "ar2"))
def union1d(
    ar1: ArrayLike, ar2: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Array:
    """Returns the elements that occur in one of two arrays."""
    first, second = arguments.arrays("union1d", ar1, ar2)
    both = concatenation.join([first, second], None, None)
    return _unique(both, _Asked(), None, equal_nan=True, size=size, fill_value=fill_value)


@_sizable(
    "numpy.intersect1d",
    sorting.intersection,
    ("ar1", "ar2"),
    static=("assume_unique", "return_indices", "fill_value"),
)
def intersect1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    return_indices: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array | tuple[Array, Array, Array]:
    """Returns the elements that occur in both of two arrays."""
    first, second = arguments.promote(*_flat("intersect1d", ar1, ar2))
    _check_concrete("intersect1d", size, first, second)
    there, values, origin, _ = _merged(first, second, assume_unique=assume_unique)
    mask = jnp.logical_and(there[1:], jnp.equal(values[1:], values[:-1]))
    common = _chosen(mask, values[:-1], size, fill_value)
    if not return_indices:
        return common
    if size is None:
        return common, origin[:-1][mask], origin[1:][mask]
    lengths = arguments.size_of(first), arguments.size_of(second)
    found = [
        _chosen(mask, places, size, length)
        for places, length in zip((origin[:-1], origin[1:]), lengths, strict=True)
    ]
    return common, found[0], found[1]


def _chosen(mask: Any, values: Array, size: int | None, fill_value: Any) -> Any:
    """Returns the values where a mask holds; in a given number, filled up."""
    if size is None:
        return values[mask]
    count = jnp.sum(mask)
    if arguments.size_of(values):
        where = jnp.nonzero(mask, size=size, fill_value=arguments.size_of(values))[0]
        found = values.at[where].get(mode="fill", fill_value=0)
    else:
        found = jnp.zeros(size, arguments.dtype_of(values))
    there = _valid(found, count)
    if fill_value is not None:
        return jnp.where(there, found, fill_value)
    if not size:
        return found
    # Without a fill value the least element stands in: first, nothing less may come of the zeros.
    found = jnp.where(there, found, jnp.max(found))
    return jnp.where(there, found, jnp.min(found))


def _valid(a: ArrayLike, count: Any) -> Any:
    """Returns which places of a vector are among the first `count`."""
    return lax.lt(jnp.arange(arguments.size_of(a)), count)


def _merged(first: Array, second: Array, *, assume_unique: bool) -> tuple[Any, Any, Any, Any]:
    """Returns the distinct elements of two vectors, sorted; which are there, and where they come
    from.
    """
    one, one_index, one_count = _sized(first, assume_unique=assume_unique)
    other, other_index, other_count = _sized(second, assume_unique=assume_unique)
    values = jnp.concatenate([one, other])
    absent = jnp.concatenate(
        [jnp.logical_not(_valid(one, one_count)), jnp.logical_not(_valid(other, other_count))]
    )
    origin = jnp.concatenate([one_index, other_index])
    from_second = lax.ge(jnp.arange(arguments.size_of(values)), arguments.size_of(one))
    operands = (absent, values, origin, from_second)
    absent, values, origin, from_second = lax.sort(operands, num_keys=2, is_stable=True)
    return jnp.logical_not(absent), values, origin, from_second


def _sized(a: Array, *, assume_unique: bool) -> tuple[Any, Any, Any]:
    """Returns the distinct elements at the front of a vector of the same length, with their first
    indices and their number.
    """
    length = arguments.size_of(a)
    if assume_unique or not length:
        return a, jnp.arange(length), jnp.full((), length)
    found = _runs(a, equal_nan=True)
    firsts = jnp.nonzero(found.starts, size=length)[0]
    return found.sorted[firsts], found.order[firsts], jnp.sum(found.starts)


def _check_concrete(function: str, size: int | None, *values: ArrayLike) -> None:
    if size is None:
        for value in values:
            arguments.demand(value, f"jnp.{function}() without size")


def _flat(function: str, *values: object) -> list[Any]:
    return [jnp.ravel(each) for each in arguments.arrays(function, *values)]


@_sizable("numpy.setdiff1d", sorting.difference, ("ar1", "ar2"), static=("assume_unique",))
def setdiff1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Returns the elements of one array that do not occur in another."""
    first, second = _flat("setdiff1d", ar1, ar2)
    _check_concrete("setdiff1d", size, first)
    fill = lax.full((), 0 if fill_value is None else fill_value, arguments.dtype_of(first))
    if not arguments.size_of(first):
        return lax.full((size or 0,), fill, arguments.dtype_of(first))
    if size is None:
        values = first if assume_unique else unique(first)
        _check_concrete("setdiff1d", size, second)
        return values[jnp.isin(values, second, invert=True)]
    values, _, count = _sized(first, assume_unique=assume_unique)
    mask = jnp.logical_and(jnp.isin(values, second, invert=True), _valid(values, count))
    where = jnp.nonzero(mask, size=size)[0]
    found = values[where]
    return jnp.where(_valid(found, jnp.sum(mask)), found, fill)


@_sizable("numpy.setxor1d", sorting.set_operation, ("ar1", "ar2"), static=("assume_unique",))
def setxor1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: int | None = None,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Returns the elements that occur in exactly one of two arrays."""
    first, second = arguments.promote(*_flat("setxor1d", ar1, ar2))
    _check_concrete("setxor1d", size, first, second)
    there, values, _, _ = _merged(first, second, assume_unique=assume_unique)
    if not arguments.size_of(values):
        return _chosen(there, values, size, fill_value)
    edge = lax.full((1,), True, bool)
    same = jnp.logical_and(jnp.equal(values[1:], values[:-1]), there[1:])
    differs = jnp.concatenate([edge, jnp.logical_not(same), edge])
    mask = jnp.logical_and(jnp.logical_and(differs[1:], differs[:-1]), there)
    return _chosen(mask, values, size, fill_value)
