"""Functions that are computed in different ways in different ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Piece = Callable[..., Any]


def piecewise(xp: Any, arguments: Sequence[Any], pieces: Sequence[tuple[Any, Piece]]) -> Any:
    """The values of the first function whose mask is true, each computed only where it is needed;
    NaN where no mask is.
    """
    result = xp.full(arguments[0].shape, xp.nan)
    left = xp.ones(arguments[0].shape, bool)
    for mask, function in pieces:
        here = mask & left
        left &= ~here
        if here.all():
            return function(*arguments)
        if here.any():
            result[here] = function(*(each[here] for each in arguments))
    return result


def polynomial(coefficients: Sequence[float], x: Any) -> Any:
    """The polynomial with these coefficients, the highest first."""
    result: Any = coefficients[0]
    for each in coefficients[1:]:
        result = result * x + each
    return result
