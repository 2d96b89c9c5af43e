"""Rules of functions and their inverses."""

from __future__ import annotations

from typing import Final

from oakum.compile.simplify.rule_engine.rule import FLOATS, Group, Rule

RULES: Final = (
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
