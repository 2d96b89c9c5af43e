"""Rules of differentiation for primitives that a library defines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.extend.core.user_primitive import Primitive
from oakum.interpreters.rule_table import Rule, RuleTable
from oakum.primitives.rules import derivatives
from oakum.primitives.rules.derivatives import UndefinedPrimal as UndefinedPrimal
from oakum.primitives.rules.derivatives import Zero as Zero
from oakum.primitives.rules.derivatives import add_tangents as add_tangents
from oakum.primitives.rules.derivatives import instantiate as instantiate_zeros
from oakum.primitives.rules.derivatives import is_undefined as is_undefined_primal

__all__ = ["UndefinedPrimal", "Zero", "add_tangents", "instantiate_zeros", "is_undefined_primal"]


def _set_jvp(primitive: Primitive, rule: Rule) -> None:
    primitive.jvp = rule


def _set_transpose(primitive: Primitive, rule: Rule) -> None:
    def transpose(cotangents: object, *operands: object, **params: object) -> Sequence[Any]:
        found: Sequence[Any] = rule(cotangents, *operands, **params)
        # Libraries return the class `Zero` for an operand without a cotangent, too.
        return [None if each is Zero else each for each in found]

    primitive.transpose = transpose


primitive_jvps: Final = RuleTable("interpreters.ad.primitive_jvps", _set_jvp)
"""`rule(primals, tangents, **params)` returns the results and their tangents."""

primitive_transposes: Final = RuleTable("interpreters.ad.primitive_transposes", _set_transpose)
"""`rule(cotangents, *operands, **params)` returns the cotangents of the operands; those that it is
linear in are `UndefinedPrimal`.
"""


def deflinear2(primitive: Primitive, transpose: Rule) -> None:
    """Says that an operation is linear; `transpose(cotangent, *operands, **params)`."""
    primitive.linear = True
    primitive_transposes[primitive] = transpose


def deflinear(primitive: Primitive, transpose: Rule) -> None:
    """Says that an operation is linear; `transpose(cotangent, **params)`."""

    def rule(cotangent: object, *_: object, **params: object) -> Any:
        return transpose(cotangent, **params)

    deflinear2(primitive, rule)


def defjvp(primitive: Primitive, *rules: Rule | None) -> None:
    """Sets the derivative in each operand, `rule(tangent, *operands, **params)`; None where it is
    zero.
    """
    defjvp2(primitive, *map(_without_result, rules))


def defjvp2(primitive: Primitive, *rules: Rule | None) -> None:
    """Sets the derivative in each operand, `rule(tangent, result, *operands, **params)`; None where
    it is zero.
    """
    primitive.derivatives = rules


def _without_result(rule: Rule | None) -> Rule | None:
    if rule is None:
        return None

    def of_result(tangent: object, result: object, *operands: object, **params: object) -> Any:
        return rule(tangent, *operands, **params)

    return of_result


def defbilinear(primitive: Primitive, left: Rule, right: Rule) -> None:
    """Says that an operation is linear in each of two operands; `left(cotangent, y, **params)` is
    the transpose in the first, `right(cotangent, x, **params)` that in the second.
    """

    def bound(place: int) -> Callable[..., Any]:
        def rule(tangent: object, x: object, y: object, **params: object) -> Any:
            pair = (tangent, y) if place == 0 else (x, tangent)
            return primitive.bind(*pair, **params)

        return rule

    def transpose(cotangent: object, x: object, y: object, **params: object) -> list[Any]:
        if derivatives.is_undefined(x):
            return [left(cotangent, y, **params), None]
        return [None, right(cotangent, x, **params)]

    defjvp(primitive, bound(0), bound(1))
    primitive_transposes[primitive] = transpose
