"""Compiled functions: `jit`, its primitive, its options, and why a function is traced again.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "argument_trees",
    "compiled_function",
    "explain_cache_misses",
    "hot_operators",
    "jit_primitive",
    "pmap",
    "signature_diff",
)
"""The modules of this package."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.transforms.jit.{name}")
    raise AttributeError(f"module 'oakum.transforms.jit' has no attribute {name!r}")
