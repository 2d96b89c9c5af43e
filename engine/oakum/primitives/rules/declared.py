"""Abstract rules of primitives that are those which public functions declare.

A function of `oakum.lax` that does no more than bind a primitive states in its declaration what the
primitive takes and gives; the primitive asks the same rule, of operands that are all known and that
neither promote nor broadcast any more.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from oakum import lax
from oakum.abstract.elementwise import Elementwise
from oakum.errors import NotEvaluatedError
from oakum.lax.options import AccuracyMode, Tolerance
from oakum.tracing.trace import Rule
from oakum.values.avals import ShapedArray

_ACCURACIES: Final = (type(None), AccuracyMode, Tolerance)
"""What elementary functions are asked for; they are as accurate as is asked for in any case."""


def elementwise(function: str) -> Rule:
    """The abstract rule of the primitive that a function of `oakum.lax` binds."""

    def abstract(*avals: ShapedArray, **params: Any) -> ShapedArray:
        if params and not isinstance(wanted := params.get("accuracy"), _ACCURACIES):
            raise NotEvaluatedError(
                f"{function} with an accuracy of {wanted!r} is not known to this version of oakum",
                hint="Give an AccuracyMode or a Tolerance of jax.lax, or leave it out.",
            )
        return rule_of(function).exact(*avals)

    return abstract


@functools.cache
def rule_of(function: str) -> Elementwise:
    """The rule that a function of `oakum.lax` declares."""
    rule = getattr(lax, function).facts.rule
    assert isinstance(rule, Elementwise)
    return rule
