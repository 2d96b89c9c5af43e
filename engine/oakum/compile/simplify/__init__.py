"""Programs are simplified before they are compiled: see `oakum.compile.simplify.passes`."""

from oakum.compile.simplify.passes import simplify
from oakum.compile.simplify.rule_engine.patterns import EVERY_GROUP, Group, Rule
from oakum.compile.simplify.rules import RULES

__all__ = ["EVERY_GROUP", "RULES", "Group", "Rule", "simplify"]
