"""Minimization of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from oakum.array import Array
from oakum.scipy.minimization import minimizers
from oakum.values.declarations import public


@public("scipy.optimize.minimize")
def minimize(
    fun: Callable[..., Any],
    x0: Array,
    args: object = (),
    *,
    method: str,
    tol: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Minimizes a function of a vector."""
    return minimizers.minimize(fun, x0, args, method, tol, options)
