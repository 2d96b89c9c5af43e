"""How the primitives of operations on elements are made."""

from __future__ import annotations

from collections.abc import Sequence

from oakum.primitives.rules import batching, dtype_checks, lowering
from oakum.tracing.trace import Primitive, Rule


def unary(
    name: str,
    groups: Sequence[str],
    evaluate: Rule,
    derivative: Rule | None = None,
    params: Rule | None = None,
) -> Primitive:
    """An operation on one operand of the dtypes of some groups; the result has that dtype too.

    `params` gives the numbers that the compiler reads of its parameters.
    """
    return Primitive(
        name,
        abstract=dtype_checks.unary(name, groups),
        evaluate=evaluate,
        derivatives=(derivative,),
        batch=batching.elementwise,
        lower=lowering.Elementwise(name, params),
    )


def nary(
    name: str,
    groups: Sequence[str],
    evaluate: Rule,
    derivatives: Sequence[Rule | None] | None = None,
    lower: lowering.Lowering | None = None,
) -> Primitive:
    """An operation on operands of one shape and dtype, which the result has too."""
    return Primitive(
        name,
        abstract=dtype_checks.nary(name, groups),
        evaluate=evaluate,
        derivatives=derivatives,
        batch=batching.elementwise,
        lower=lower,
    )
