"""Transformations of functions, a chapter each; `oakum.api` has their public functions.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "autodiff",
    "batching",
    "custom_rules",
    "flat_functions",
    "jit",
    "jit_options",
    "make_jaxpr",
)
"""The modules of this package."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.transforms.{name}")
    raise AttributeError(f"module 'oakum.transforms' has no attribute {name!r}")
