"""Functions with derivative rules of their own, and those that are recomputed.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "checkpoint",
    "custom_jvp",
    "custom_vjp",
    "linear_call",
    "rule_calls",
    "symbolic_zeros",
)
"""The modules of this package."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.transforms.custom_rules.{name}")
    raise AttributeError(f"module 'oakum.transforms.custom_rules' has no attribute {name!r}")
