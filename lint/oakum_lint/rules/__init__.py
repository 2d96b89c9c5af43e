"""The rules, one file each: `RULES` holds the classes of all, in the order of their codes.

Importing this package loads none of them; the first use of `RULES` does.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oakum_lint.rules.rule import AnyRule

    RULES: tuple[type[AnyRule], ...]

__all__ = ["RULES"]


def __getattr__(name: str) -> object:
    if name == "RULES":
        from oakum_lint.rules.register import all_rules

        return all_rules()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
