"""Abstract rules of primitives that are those which public functions declare.

A function of `oakum.lax` that does no more than bind a primitive states in its declaration what the
primitive takes and returns; the primitive asks the same rule, of operands that are all known and
that neither promote nor broadcast any more.
"""

from __future__ import annotations

import functools
from typing import Protocol

from oakum import lax
from oakum.tracing.trace import Rule
from oakum.values.avals import ShapedArray


def elementwise(function: str) -> Rule:
    """Returns the abstract rule of the primitive that a function of `oakum.lax` binds."""

    def abstract(*avals: ShapedArray, **params: object) -> ShapedArray:
        return rule_of(function).exact(*avals)

    return abstract


def over_axes(function: str) -> Rule:
    """Returns the abstract rule of the reduction that a function of `oakum.lax` binds."""

    def abstract(operand: ShapedArray, *, axes: tuple[int, ...], **params: object) -> ShapedArray:
        return rule_of(function).exact(operand, axes)

    return abstract


def along_axis(function: str) -> Rule:
    """Returns the abstract rule of the running reduction that a function of `oakum.lax` binds."""

    def abstract(operand: ShapedArray, *, axis: int, **params: object) -> ShapedArray:
        return rule_of(function).exact(operand, axis)

    return abstract


class _ExactRule(Protocol):
    """A declared rule that primitives have too."""

    def exact(self, *arguments: object) -> ShapedArray: ...


@functools.cache
def rule_of(function: str) -> _ExactRule:
    """Returns the rule that a function of `oakum.lax` declares."""
    rule: _ExactRule = getattr(lax, function).facts.rule
    return rule
