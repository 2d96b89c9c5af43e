"""Differentiation: forward, backward, and the split of a program that both need.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "argument_checks",
    "grad",
    "jacobians",
    "jvp",
    "linearize",
    "partial_eval",
    "transpose",
)
"""The modules of this package."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.transforms.autodiff.{name}")
    raise AttributeError(f"module 'oakum.transforms.autodiff' has no attribute {name!r}")
