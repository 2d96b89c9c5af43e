"""Statistics of samples."""

from __future__ import annotations

import functools
import math
from typing import Any, Final, NamedTuple

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import reduction, results
from oakum.array import Array
from oakum.numpy import arguments, coercion
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.mode", results.Arrays(2), static=("axis", "nan_policy", "keepdims"))
def mode(
    a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:
    """Returns the most frequent elements along an axis, and how often they occur."""
    (first,) = arguments.arrays("mode", a)
    _check_policy("mode", nan_policy)
    return _mode(first, axis, keepdims)


@public("scipy.stats.rankdata", results.array, static=("method", "axis", "nan_policy"))
def rankdata(
    a: ArrayLike, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate"
) -> Array:
    """Ranks the elements."""
    (first,) = arguments.arrays("rankdata", a)
    _check_policy("rankdata", nan_policy)
    return _ranks(first, method, axis)


@public("scipy.stats.sem", reduction.means, static=("axis", "nan_policy", "keepdims"))
def sem(
    a: ArrayLike,
    axis: int | None = 0,
    ddof: float = 1,
    nan_policy: str = "propagate",
    *,
    keepdims: bool = False,
) -> Array:
    """Computes the standard error of the mean along an axis."""
    (first,) = coercion.promote_inexact("sem", a)
    if nan_policy == "propagate":
        size = first.size if axis is None else first.shape[axis]
        return jnp.std(first, axis, ddof=ddof, keepdims=keepdims) / coercion.like(first, size**0.5)
    if nan_policy != "omit":
        raise ValueError(f"{nan_policy} is not supported")
    count = (~jnp.isnan(first)).sum(axis, keepdims=keepdims)
    return jnp.nanstd(first, axis, ddof=ddof, keepdims=keepdims) / jnp.sqrt(count).astype(
        first.dtype
    )


_METHODS: Final = ("average", "min", "max", "dense", "ordinal")


class ModeResult(NamedTuple):
    """The most frequent elements, and how often they occur."""

    mode: Any
    count: Any


def _check_policy(function: str, nan_policy: str) -> None:
    """Raises for a policy other than that NaN goes through."""
    if nan_policy not in ("propagate", "omit", "raise"):
        raise ValueError(
            f"Illegal nan_policy value {nan_policy!r}; expected one of 'propagate', 'omit', 'raise'"
        )
    if nan_policy != "propagate":
        raise NotImplementedError(
            f"{function} with nan_policy={nan_policy!r}: whether there are NaNs is not known while "
            "a program is traced; look for them outside"
        )


def _mode(a: Any, axis: int | None, keepdims: bool) -> ModeResult:
    """Returns the most frequent elements along an axis: of equally frequent ones the least."""
    a = jnp.atleast_1d(a)
    rank = arguments.rank_of(a)
    at = None if axis is None else arguments.axis(axis, rank)
    dropped = range(rank) if at is None else (at,)
    shape = [size for i, size in enumerate(a.shape) if i not in dropped]
    if keepdims:
        shape = [1 if i in dropped else size for i, size in enumerate(a.shape)]
    lines = a.reshape((1, -1)) if at is None else jnp.moveaxis(a, at, -1)
    lines = lines.reshape((math.prod(lines.shape[:-1]), lines.shape[-1]))
    if not lines.shape[-1]:
        empty = jnp.zeros(lines.shape[:1])
        return ModeResult((empty + math.nan).reshape(shape), empty.reshape(shape))
    ordered = jnp.sort(lines, axis=-1)
    counts = jnp.sum(_same(ordered[:, :, None], ordered[:, None, :]), axis=-1)
    best = jnp.argmax(counts, axis=-1, keepdims=True)
    picked = [jnp.take_along_axis(each, best, axis=-1) for each in (ordered, counts)]
    return ModeResult(*(each.reshape(shape) for each in picked))


def _same(left: ArrayLike, right: ArrayLike) -> Any:
    """Returns whether elements are equal, where NaN is equal to itself."""
    return (left == right) | (lax.ne(left, left) & lax.ne(right, right))


def _ranks(a: ArrayLike, method: str, axis: int | None) -> Any:
    """Returns the ranks of elements, of which equal ones get what the method says."""
    if method not in _METHODS:
        raise ValueError(f"unknown method '{method}'")
    if axis is not None:
        return jnp.apply_along_axis(functools.partial(_ranks, method=method, axis=None), axis, a)
    a = jnp.ravel(a)
    size = a.shape[0]
    ordered, order = lax.sort_key_val(a, jnp.arange(size))
    places = jnp.zeros_like(order).at[order].set(jnp.arange(size, dtype=order.dtype))
    result = _ranks_of_order(ordered, places, method)
    result = arguments.convert(result, arguments.inexact(arguments.default_int()))
    if not arguments.is_inexact(a):
        return result
    return jnp.where(jnp.any(jnp.isnan(a)), math.nan, result)


def _ranks_of_order(ordered: Any, places: Any, method: str) -> Any:
    if method == "ordinal":
        return places + 1
    starts = jnp.concatenate([jnp.array([True]), ordered[1:] != ordered[:-1]])[: ordered.shape[0]]
    dense = jnp.cumsum(starts)[places]
    if method == "dense":
        return dense
    bounds = jnp.nonzero(starts, size=ordered.shape[0] + 1, fill_value=ordered.shape[0])[0]
    below, upto = bounds[dense - 1], bounds[dense]
    if method == "max":
        return upto
    if method == "min":
        return below + 1
    total = upto + below + 1
    return 0.5 * arguments.convert(total, arguments.inexact(arguments.dtype_of(total)))
