"""Rules of sums, products, quotients, powers, extremes, and of functions and their inverses."""

from __future__ import annotations

from typing import Any, Final

from oakum.compile.simplify.patterns import (
    BITS,
    FLOATS,
    INTEGERS,
    NUMBERS,
    REALS,
    SIGNED,
    WIDE_FLOATS,
    Bindings,
    Group,
    Match,
    Rule,
)
from oakum.values import host


def _reciprocal(found: Match) -> Bindings | None:
    """One over a power of two, where that is a number too: both products are rounded once."""
    raw = found.number("C")
    number = float(raw)
    mantissa = abs(host.np.frexp(number)[0]) if number and host.np.isfinite(number) else 0
    if mantissa != 0.5:
        return None
    inverse = host.np.array(1 / number).astype(raw.dtype)
    return {"r": found.filled("C", inverse)} if float(inverse) == 1 / number else None


def _negate(found: Match) -> Bindings:
    return {"r": found.filled("C", _evaluate(-found.number("C")))}


def _sum(found: Match) -> Bindings:
    return {"r": found.filled("C", _evaluate(found.number("C") + found.number("D")))}


def _product(found: Match) -> Bindings:
    return {"r": found.filled("C", _evaluate(found.number("C") * found.number("D")))}


def _evaluate(value: object) -> Any:
    return host.np.asarray(value)


def _exponent(found: Match) -> Bindings | None:
    """A power that is a product of a few factors; more of them could overflow on the way."""
    number = float(found.number("C"))
    return {"p": {"y": int(number)}} if number in (2, 3, 4) else None


def _root(sign: float) -> Any:
    """For a square root, or one over it: the infinity of which the root is none, and its power."""

    def where(found: Match) -> Bindings | None:
        raw = found.number("C")
        if float(raw) != 0.5 * sign:
            return None
        power = float("inf") if sign > 0 else 0.0
        numbers = {"l": -float("inf"), "z": 0.0, "p": power}
        return {name: found.filled("C", _as(raw, number)) for name, number in numbers.items()}

    return where


def _as(raw: host.Array, number: float) -> Any:
    return host.np.array(number).astype(raw.dtype)


def _power_of(*exponents: int) -> Any:
    def where(found: Match) -> Bindings | None:
        return {} if found.params["p"]["y"] in exponents else None

    return where


IDENTITIES: Final = (
    Rule(
        "add-zero",
        "add(x, 0)",
        "x",
        "Of floats it is -0.0 that changes nothing: -0.0 + 0.0 is 0.0.",
        INTEGERS,
    ),
    Rule("add-negative-zero", "add(x, -0.0)", "x", "-0.0 is the identity of sums.", FLOATS),
    Rule(
        "add-zero-twice",
        "add(add(x, 0), 0)",
        "add(x, 0)",
        "0.0 takes the sign off a zero, and once is enough.",
        FLOATS,
    ),
    Rule("subtract-zero", "sub(x, 0)", "x", "-0.0 - 0.0 is -0.0.", REALS),
    Rule("subtract-itself", "sub(x, x)", "0", "Not of floats: inf - inf is NaN.", INTEGERS),
    Rule("multiply-by-one", "mul(x, 1)", "x", "One is the identity of products.", REALS),
    Rule(
        "multiply-by-zero",
        "mul(x, 0)",
        "0",
        "Not of floats: infinities and NaN give NaN, negative numbers -0.0.",
        INTEGERS,
    ),
    Rule("multiply-by-minus-one", "mul(x, -1)", "neg(x)", "A sign is cheaper.", SIGNED | FLOATS),
    Rule("divide-by-one", "div(x, 1)", "x", "Any number over one is itself.", REALS),
    Rule(
        "divide-by-power-of-two",
        "div(x, C)",
        "mul(x, r)",
        "Where C is a power of two and 1/C a number of the dtype: both round the same real number.",
        FLOATS,
        _reciprocal,
    ),
    Rule("remainder-by-one", "rem(x, 1)", "0", "Every integer is a multiple of one.", INTEGERS),
)

SIGNS: Final = (
    Rule("negate-twice", "neg(neg(x))", "x", "Signs cancel.", NUMBERS),
    Rule("subtract-from-zero", "sub(0, x)", "neg(x)", "0.0 - 0.0 is 0.0.", INTEGERS),
    Rule("subtract-from-negative-zero", "sub(-0.0, x)", "neg(x)", "-0.0 - x is -x.", FLOATS),
    Rule("add-negation", "add(x, neg(y))", "sub(x, y)", "This is what a difference is.", NUMBERS),
    Rule("subtract-negation", "sub(x, neg(y))", "add(x, y)", "Signs cancel.", NUMBERS),
    Rule(
        "negate-difference",
        "neg(sub(x, y))",
        "sub(y, x)",
        "Not of floats: equal operands give -0.0 before and 0.0 after.",
        INTEGERS,
    ),
    Rule("multiply-negations", "mul(neg(x), neg(y))", "mul(x, y)", "Signs cancel.", REALS),
    Rule(
        "multiply-negation-by-number",
        "mul(neg(x), C)",
        "mul(x, r)",
        "The number takes the sign.",
        FLOATS | SIGNED,
        _negate,
    ),
    Rule(
        "negate-product-by-number",
        "neg(mul(x, C))",
        "mul(x, r)",
        "The number takes the sign.",
        FLOATS | SIGNED,
        _negate,
    ),
    Rule(
        "divide-negations",
        "div(neg(x), neg(y))",
        "div(x, y)",
        "Not of integers: the least one has no negation.",
        FLOATS,
    ),
    Rule(
        "divide-negation-by-number",
        "div(neg(x), C)",
        "div(x, r)",
        "The number takes the sign.",
        FLOATS,
        _negate,
    ),
    Rule("even-of-negation", "even[p](neg(x))", "even[p](x)", "f(-x) = f(x).", SIGNED | FLOATS),
    Rule("even-of-size", "even[p](abs(x))", "even[p](x)", "f(-x) = f(x).", SIGNED | FLOATS),
    Rule("sign-twice", "sign(sign(x))", "sign(x)", "A sign is its own sign.", SIGNED | FLOATS),
)

CONSTANTS: Final = (
    Rule(
        "subtract-number",
        "sub(x, C)",
        "add(x, r)",
        "Integers wrap around; the sum joins with others.",
        INTEGERS,
        _negate,
    ),
    Rule(
        "add-numbers",
        "add(add(x, C), D)",
        "add(x, r)",
        "Integers wrap around, in any order. Floats round in between.",
        INTEGERS,
        _sum,
    ),
    Rule(
        "multiply-by-numbers",
        "mul(mul(x, C), D)",
        "mul(x, r)",
        "Integers wrap around, in any order. Floats round and overflow in between.",
        INTEGERS,
        _product,
    ),
)

POWERS: Final = (
    Rule("power-zero", "pow(x, 0)", "1", "Also of NaN, as IEEE 754 has it.", FLOATS),
    Rule("power-one", "pow(x, 1)", "x", "The first power.", FLOATS),
    Rule(
        "small-power",
        "pow(x, C)",
        "integer_pow[p](x)",
        "The second to the fourth power as products, each rounded; they underflow and overflow "
        "where the power does.",
        FLOATS,
        _exponent,
        Group.ROUNDING,
        ulp=4,
    ),
    Rule(
        "power-half",
        "pow(x, C)",
        "select_n(eq(x, l), sqrt(add(x, z)), p)",
        "The root, but of -0.0 it is 0.0, and of minus infinity infinite.",
        FLOATS,
        _root(1),
        Group.ROUNDING,
        ulp=1,
    ),
    Rule(
        "power-minus-half",
        "pow(x, C)",
        "select_n(eq(x, l), div(1, sqrt(add(x, z))), p)",
        "One over the root, but of -0.0 it is infinite, and of minus infinity 0.0.",
        FLOATS,
        _root(-1),
        Group.ROUNDING,
        ulp=2,
    ),
    Rule("integer-power-zero", "integer_pow[p](x)", "1", "No factor.", NUMBERS, _power_of(0)),
    Rule("integer-power-one", "integer_pow[p](x)", "x", "One factor.", NUMBERS, _power_of(1)),
    Rule(
        "integer-power-two", "integer_pow[p](x)", "square(x)", "Two factors.", REALS, _power_of(2)
    ),
    Rule(
        "integer-power-three",
        "integer_pow[p](x)",
        "mul(x, square(x))",
        "In the order in which the power is computed.",
        WIDE_FLOATS | INTEGERS,
        _power_of(3),
    ),
    Rule(
        "integer-power-four",
        "integer_pow[p](x)",
        "square(square(x))",
        "In the order in which the power is computed.",
        WIDE_FLOATS | INTEGERS,
        _power_of(4),
    ),
    Rule("reciprocal", "integer_pow[p](x)", "div(1, x)", "One division.", FLOATS, _power_of(-1)),
    Rule(
        "reciprocal-square",
        "integer_pow[p](x)",
        "div(1, square(x))",
        "In the order in which the power is computed; others may use the square.",
        WIDE_FLOATS,
        _power_of(-2),
    ),
)

EXTREMES: Final = (
    Rule("max-itself", "max(x, x)", "x", "Also of NaN.", REALS | BITS),
    Rule("min-itself", "min(x, x)", "x", "Also of NaN.", REALS | BITS),
    Rule("max-again", "max(max(x, y), y)", "max(x, y)", "A limit once reached.", REALS | BITS),
    Rule("min-again", "min(min(x, y), y)", "min(x, y)", "A limit once reached.", REALS | BITS),
    Rule("round-again", "rounding[p](rounding[q](x))", "rounding[q](x)", "A whole number.", FLOATS),
)

RULES: Final = (*IDENTITIES, *SIGNS, *CONSTANTS, *POWERS, *EXTREMES)


INVERSES: Final = (
    Rule(
        "log-of-exp",
        "log(exp(x))",
        "x",
        "Where exp(x) overflows, underflows or is near one, the result is x, and not infinite, or "
        "of fewer digits.",
        FLOATS,
        group=Group.LIMITS,
        ulp=1,
    ),
    Rule(
        "log-of-sqrt",
        "log(sqrt(x))",
        "mul(0.5, log(x))",
        "Near one the result keeps the digits that the root loses; negative numbers give NaN as "
        "before.",
        FLOATS,
        group=Group.LIMITS,
        ulp=2,
    ),
)
