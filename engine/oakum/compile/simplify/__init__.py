"""Programs are simplified before they are compiled: see `oakum.compile.simplify.passes`."""

from oakum.compile.simplify.passes import simplify as simplify
from oakum.compile.simplify.rule_engine.patterns import EVERY_GROUP as EVERY_GROUP
from oakum.compile.simplify.rule_engine.patterns import Group as Group
from oakum.compile.simplify.rule_engine.patterns import Rule as Rule
from oakum.compile.simplify.rules import RULES as RULES
