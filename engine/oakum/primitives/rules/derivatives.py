"""Derivatives of elementwise operations: from a tangent, the result and the operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.tracing.trace import Rule

Of1 = Callable[[Any, Any, Any], Any]
Of2 = Callable[[Any, Any, Any, Any], Any]
Of3 = Callable[[Any, Any, Any, Any, Any], Any]


def unary(rule: Of1) -> tuple[Rule]:
    """The derivative of an operation on one operand."""
    return (rule,)


def binary(left: Of2, right: Of2) -> tuple[Rule, Rule]:
    """The derivatives of an operation on two operands."""
    return (left, right)


def ternary(first: Of3, second: Of3, third: Of3) -> tuple[Rule, Rule, Rule]:
    """The derivatives of an operation on three operands."""
    return (first, second, third)
