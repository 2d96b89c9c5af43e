"""Intersection, difference and symmetric difference of sets of elements."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.numpy import arguments, distinct


def _flat(function: str, *values: Any) -> list[Any]:
    return [jnp.ravel(each) for each in arguments.arrays(function, *values)]


def _valid(a: Any, count: Any) -> Any:
    """Which places of a vector are among the first `count`."""
    return lax.lt(jnp.arange(arguments.size_of(a)), count)


def _sized(a: Any, *, assume_unique: bool) -> tuple[Any, Any, Any]:
    """The distinct elements at the front of a vector of the same length, with their first indices
    and their number.
    """
    length = arguments.size_of(a)
    if assume_unique or not length:
        return a, jnp.arange(length), jnp.full((), length)
    found = distinct.runs(a, equal_nan=True)
    firsts = jnp.nonzero(found.starts, size=length)[0]
    return found.sorted[firsts], found.order[firsts], jnp.sum(found.starts)


def _merged(first: Any, second: Any, *, assume_unique: bool) -> tuple[Any, Any, Any, Any]:
    """The distinct elements of two vectors, sorted; which are there, and where they come from."""
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


def _chosen(mask: Any, values: Any, size: int | None, fill_value: Any) -> Any:
    """The values where a mask holds; in a given number, filled up."""
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


def _check_concrete(function: str, size: int | None, *values: Any) -> None:
    if size is None:
        for value in values:
            arguments.demand(value, f"jnp.{function}() without size")


def intersection(
    ar1: Any, ar2: Any, assume_unique: bool, return_indices: bool, size: int | None, fill_value: Any
) -> Any:
    """The elements of both arrays, and their indices in each if asked for."""
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


def difference(ar1: Any, ar2: Any, assume_unique: bool, size: int | None, fill_value: Any) -> Any:
    """The elements of one array that the other does not have."""
    first, second = _flat("setdiff1d", ar1, ar2)
    _check_concrete("setdiff1d", size, first)
    fill = lax.full((), 0 if fill_value is None else fill_value, arguments.dtype_of(first))
    if not arguments.size_of(first):
        return lax.full((size or 0,), fill, arguments.dtype_of(first))
    if size is None:
        values = first if assume_unique else jnp.unique(first)
        _check_concrete("setdiff1d", size, second)
        return values[jnp.isin(values, second, invert=True)]
    values, _, count = _sized(first, assume_unique=assume_unique)
    mask = jnp.logical_and(jnp.isin(values, second, invert=True), _valid(values, count))
    where = jnp.nonzero(mask, size=size)[0]
    found = values[where]
    return jnp.where(_valid(found, jnp.sum(mask)), found, fill)


def exclusive(ar1: Any, ar2: Any, assume_unique: bool, size: int | None, fill_value: Any) -> Any:
    """The elements of exactly one of the arrays."""
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
