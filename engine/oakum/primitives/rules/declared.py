"""Primitives whose abstract rules are those which public functions declare.

A function of `oakum.lax` that does no more than bind a primitive states in its declaration what the
primitive takes and returns; the primitive asks the same rule, of operands that are all known and
that neither promote nor broadcast any more.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Protocol

from oakum import lax
from oakum.primitives.rules import batching, lowering
from oakum.tracing.trace import Primitive, Rule
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


def elementwise_primitive(
    name: str,
    evaluate: Rule,
    derivatives: Sequence[Rule | None] | None = None,
    *,
    function: str = "",
    abstract: Rule | None = None,
    linear: bool = False,
    jvp: Rule | None = None,
    transpose: Rule | None = None,
    lower: object = None,
    on_host: bool = False,
    exact: bool = False,
) -> Primitive:
    """Makes a primitive that is applied to each element of operands of one shape.

    The function of `oakum.lax` that declares what it takes has its name, or is `function`; without
    one, `abstract` says it. The operation of its name in the compiler computes it, or `lower` says
    how, unless it is left to the host.
    """
    return Primitive(
        name,
        abstract=abstract or elementwise(function or name),
        evaluate=evaluate,
        derivatives=derivatives,
        linear=linear,
        jvp=jvp,
        transpose=transpose,
        batch=batching.elementwise,
        lower=None if on_host else lower or lowering.Elementwise(name),
        exact=exact,
    )
