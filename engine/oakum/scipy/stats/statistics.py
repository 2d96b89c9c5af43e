"""Statistics of samples."""

from __future__ import annotations

from typing import Any

from oakum.abstract import reduction, results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike


@public("scipy.stats.mode", results.arrays(2), static=("axis", "nan_policy", "keepdims"))
def mode(
    a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False
) -> Any:
    """Gives the most frequent elements along an axis, and how often they occur."""
    ...


@public("scipy.stats.rankdata", results.array, static=("method", "axis", "nan_policy"))
def rankdata(
    a: ArrayLike, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate"
) -> Array:
    """Ranks the elements."""
    ...


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
    ...
