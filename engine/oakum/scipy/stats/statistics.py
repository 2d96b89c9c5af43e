"""Statistics of samples."""

from __future__ import annotations

from typing import Any

from oakum import numpy as jnp
from oakum.abstract import reduction, results
from oakum.array import Array
from oakum.numpy.operands import arguments, promoting
from oakum.scipy.stats import ranks
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.stats.mode", results.arrays(2), static=("axis", "nan_policy", "keepdims"))
def mode(
    a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:
    """Gives the most frequent elements along an axis, and how often they occur."""
    (first,) = arguments.arrays("mode", a)
    ranks.check_policy("mode", nan_policy)
    return ranks.mode(first, axis, keepdims)


@public("scipy.stats.rankdata", results.array, static=("method", "axis", "nan_policy"))
def rankdata(
    a: ArrayLike, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate"
) -> Array:
    """Ranks the elements."""
    (first,) = arguments.arrays("rankdata", a)
    ranks.check_policy("rankdata", nan_policy)
    return ranks.ranks(first, method, axis)


@public("scipy.stats.sem", reduction.means, static=("axis", "nan_policy", "keepdims"))
def sem(
    a: ArrayLike,
    axis: int | None = 0,
    ddof: int = 1,
    nan_policy: str = "propagate",
    *,
    keepdims: bool = False,
) -> Array:
    """Computes the standard error of the mean along an axis."""
    (first,) = promoting.promote_inexact("sem", a)
    if nan_policy == "propagate":
        size = first.size if axis is None else first.shape[axis]
        return jnp.std(first, axis, ddof=ddof, keepdims=keepdims) / promoting.like(first, size**0.5)
    if nan_policy != "omit":
        raise ValueError(f"{nan_policy} is not supported")
    count = (~jnp.isnan(first)).sum(axis, keepdims=keepdims)
    return jnp.nanstd(first, axis, ddof=ddof, keepdims=keepdims) / jnp.sqrt(count).astype(
        first.dtype
    )
