"""Functions of arrays with derivatives of their own, made when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.rules.derivatives import Of1, Of2


def of_one(function: Callable[[Any], Any], slope: Of1) -> Any:
    """A function of one array, whose tangent follows from a tangent, the result and the operand."""
    from oakum.custom_derivatives import custom_jvp

    result = custom_jvp(function)
    result.defjvps(slope)
    return result


def of_two(function: Callable[[Any, Any], Any], left: Of2, right: Of2) -> Any:
    """A function of two arrays, with a rule for each."""
    from oakum.custom_derivatives import custom_jvp

    result = custom_jvp(function)
    result.defjvps(left, right)
    return result
