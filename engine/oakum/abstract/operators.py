"""Python's operators on arrays: the rule behind each spelling."""

from typing import Any, Final

from oakum.abstract import contraction, elementwise
from oakum.abstract.elementwise import Elementwise
from oakum.abstract.indexing import getitem
from oakum.values.avals import (
    UNKNOWN,
    PythonScalar,
    ScalarKind,
    ShapedArray,
    abstractify,
    scalar_kind,
)

_PAIR: Final = ("x", "y")


def _pair(rule: Elementwise, name: str) -> Elementwise:
    """Returns the rule of a binary operator, which is the function of `jax.numpy` of this name."""
    return rule.over(*_PAIR).named(name)


_BINARY: Final[dict[str, Elementwise]] = {
    "+": _pair(elementwise.same, "add"),
    "-": _pair(elementwise.numbers, "subtract"),
    "*": _pair(elementwise.same, "multiply"),
    "/": _pair(elementwise.inexact, "true_divide"),
    "//": _pair(elementwise.quotients, "floor_divide"),
    "%": _pair(elementwise.quotients, "remainder"),
    "**": _pair(elementwise.powers, "power"),
    "&": _pair(elementwise.integer, "bitwise_and"),
    "|": _pair(elementwise.integer, "bitwise_or"),
    "^": _pair(elementwise.integer, "bitwise_xor"),
    "<<": _pair(elementwise.shifts, "left_shift"),
    ">>": _pair(elementwise.shifts, "right_shift"),
}

_COMPARISONS: Final[dict[str, Elementwise]] = {
    "<": _pair(elementwise.boolean, "less"),
    "<=": _pair(elementwise.boolean, "less_equal"),
    ">": _pair(elementwise.boolean, "greater"),
    ">=": _pair(elementwise.boolean, "greater_equal"),
    "==": _pair(elementwise.equality, "equal"),
    "!=": _pair(elementwise.equality, "not_equal"),
}

_UNARY: Final[dict[str, Elementwise]] = {
    "-": elementwise.numbers.named("negative"),
    "+": elementwise.same.named("positive"),
    "~": elementwise.integer.named("bitwise_not"),
    "abs": elementwise.real.named("abs"),
}

_RANK: Final[tuple[ScalarKind, ...]] = ("bool", "int", "float", "complex")


def binary(operator: str, left: object, right: object) -> Any:
    """Returns the result of `left operator right`; `UNKNOWN` unless both are arrays or numbers.

    Numbers alone give a number of which the type is known, by Python's own rules.

    >>> from oakum.values.avals import parse_aval
    >>> print(binary("*", parse_aval("f32[8,1]"), 2), binary("/", PythonScalar("int"), 2))
    f32[8,1] float
    >>> binary("+", parse_aval("f32[8]"), UNKNOWN)
    UNKNOWN
    """
    if not isinstance(left, ShapedArray) and not isinstance(right, ShapedArray):
        return _numbers(operator, left, right)
    if UNKNOWN in (abstractify(left), abstractify(right)):
        return UNKNOWN
    pair = {"x": left, "y": right}
    if operator == "@":
        return contraction.matmul(pair)
    if operator == "divmod":
        return (binary("//", left, right), binary("%", left, right))
    rule = _BINARY.get(operator)
    return UNKNOWN if rule is None else rule(pair)


def _numbers(operator: str, left: object, right: object) -> Any:
    """Returns the type of Python arithmetic on numbers."""
    kinds = scalar_kind(left), scalar_kind(right)
    if operator not in _BINARY or not all(kind in _RANK for kind in kinds):
        return UNKNOWN
    kind = _RANK[max(_RANK.index(kind) for kind in kinds if kind is not None and kind != "str")]
    bitwise = operator in ("&", "|", "^")
    if bitwise or operator in ("<<", ">>"):
        if kind not in ("bool", "int"):
            return UNKNOWN
        return PythonScalar(kind if bitwise else "int")
    if operator == "**":  # The sign of the exponent or the base decides.
        return PythonScalar(kind) if kind == "complex" else UNKNOWN
    if operator in ("//", "%") and kind == "complex":
        return UNKNOWN
    if operator == "/" and kind in ("bool", "int"):
        return PythonScalar("float")
    return PythonScalar("int" if kind == "bool" else kind)


def compare(operator: str, left: object, right: object) -> Any:
    """Returns the result of a comparison: an array of booleans where one side is an array.

    `is`, `is not`, `in` and `not in` give Python booleans, here unknown ones.

    >>> from oakum.values.avals import parse_aval
    >>> print(compare("<", parse_aval("f32[8]"), 0))
    bool[8]
    """
    rule = _COMPARISONS.get(operator)
    if rule is None:
        return PythonScalar("bool")
    if not isinstance(left, ShapedArray) and not isinstance(right, ShapedArray):
        known = scalar_kind(left) is not None and scalar_kind(right) is not None
        return PythonScalar("bool") if known else UNKNOWN
    if UNKNOWN in (abstractify(left), abstractify(right)):
        return UNKNOWN
    return rule({"x": left, "y": right})


def unary(operator: str, operand: object) -> Any:
    """Returns the result of a unary operator on an array or a number.

    >>> from oakum.values.avals import parse_aval
    >>> print(unary("-", parse_aval("f32[8]")), unary("-", PythonScalar("int")))
    f32[8] int
    """
    if isinstance(operand, ShapedArray):
        rule = _UNARY.get(operator)
        return UNKNOWN if rule is None else rule({"x": operand})
    kind = scalar_kind(operand)
    if operator == "not":
        return PythonScalar("bool")
    if kind is None or kind == "str" or (operator == "~" and kind not in ("bool", "int")):
        return UNKNOWN
    if operator == "abs" and kind == "complex":
        return PythonScalar("float")
    return PythonScalar("int" if kind == "bool" else kind)


def subscript(operand: object, index: object) -> Any:
    """Returns the result of `operand[index]` for an array; `UNKNOWN` for anything else.

    >>> from oakum.values.avals import parse_aval
    >>> print(subscript(parse_aval("f32[8,3]"), (slice(None, 2), 0)))
    f32[2]
    """
    if not isinstance(operand, ShapedArray):
        return UNKNOWN
    return getitem({"self": operand, "key": index})
