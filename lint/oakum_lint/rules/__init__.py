"""The rules: `RULES` holds the classes of all of them, in the order of their codes.

Importing this package loads none of them; the first use of `RULES` does.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oakum_lint.rules.register import RULES

__all__ = ["RULES"]


def __getattr__(name: str) -> object:
    if name == "RULES":
        from oakum_lint.rules.register import RULES

        return RULES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
