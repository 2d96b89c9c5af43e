"""Functions of arrays with derivatives of their own, made when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.api.custom_rules import custom_jvp
from oakum.primitives.rules import arguments
from oakum.primitives.rules.derivatives import Of1, Of2


def of_one(function: Callable[[Any], Any], slope: Of1) -> Any:
    """Returns a function of one array, whose tangent follows from a tangent, the result and the
    operand.
    """
    result = custom_jvp(function)
    result.defjvps(_of_arrays(slope))
    return result


def of_two(function: Callable[[Any, Any], Any], left: Of2, right: Of2) -> Any:
    """Returns a function of two arrays, with a rule for each."""
    result = custom_jvp(function)
    result.defjvps(_of_arrays(left), _of_arrays(right))
    return result


def _of_arrays(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a rule that is given arrays where it would be given data of the host."""
    return lambda *values: rule(*map(arguments.array, values))
