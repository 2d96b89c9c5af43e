"""The register: the classes of rules, each found by the name of its file."""

from functools import cache
from importlib import import_module
from typing import TypeGuard

from oakum_lint.rules.rule import AnyRule, Rule
from oakum_lint.rules.rule_files import rule_files
from oakum_lint.rules.tool_pages import TOOL_RULES


def rule_of(code: str) -> type[AnyRule] | None:
    """The class of the rule of a code, if it has one; no other rule is loaded."""
    for rule in TOOL_RULES:
        if rule.code.code == code:
            return rule
    stem = rule_files().get(code)
    return None if stem is None else _class_in(stem)


def _class_in(stem: str) -> type[AnyRule]:
    name = stem.partition("_")[2].title().replace("_", "")
    rule: object = getattr(import_module(f"oakum_lint.rules.{stem}"), name, None)
    if not _is_rule(rule):
        raise TypeError(f"rules/{stem}.py has no rule with the name {name}")
    return rule


def _is_rule(found: object) -> TypeGuard[type[AnyRule]]:
    return isinstance(found, type) and issubclass(found, Rule)


@cache
def all_rules() -> tuple[type[AnyRule], ...]:
    """All rules, in the order of their codes."""
    return (*TOOL_RULES, *map(_class_in, rule_files().values()))
