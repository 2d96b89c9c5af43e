"""The rewriting rules, by subject."""

from __future__ import annotations

import functools

from oakum.compile.simplify.rule_engine.patterns import Group, Rule
from oakum.compile.simplify.rule_engine.rewriting import Ruleset
from oakum.compile.simplify.rules import arithmetic, logic, movement, reductions

RULES: tuple[Rule, ...] = (
    *arithmetic.RULES,
    *logic.RULES,
    *logic.CONVERSIONS,
    *movement.SHAPES,
    *movement.SLICES,
    *movement.RULES,
    *reductions.REPETITIONS,
    *reductions.RULES,
    *arithmetic.INVERSES,
)
"""All rules. Of two that match the one that stands first is applied."""


@functools.cache
def ruleset(groups: frozenset[Group]) -> Ruleset:
    """The rules of some groups, made ready."""
    return Ruleset([rule for rule in RULES if rule.group in groups])
