"""Functions that are computed in different ways in different ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, TypeVarTuple

from oakum.values import host

Ts = TypeVarTuple("Ts")


def piecewise(
    xp: ModuleType, arguments: tuple[*Ts], pieces: Sequence[tuple[Any, Callable[[*Ts], Any]]]
) -> Any:
    """Returns the values of the first function whose mask is true, each computed only where it is
    needed; NaN where no mask is.
    """
    given: tuple[Any, ...] = arguments
    result = xp.full(given[0].shape, xp.nan)
    left = xp.ones(given[0].shape, bool)
    for mask, function in pieces:
        here = mask & left
        left &= ~here
        if here.all():
            return function(*arguments)
        if here.any():
            call: Callable[..., Any] = function
            result[here] = call(*(each[here] for each in given))
    return result


def polynomial(coefficients: Sequence[float], x: host.Array) -> Any:
    """Returns the polynomial with these coefficients, the highest first."""
    result: Any = coefficients[0]
    for each in coefficients[1:]:
        result = result * x + each
    return result
