"""Batching: a function mapped over axes of its arguments.

A module here is loaded when it is first touched: see `oakum.primitives`.
"""

import importlib
from typing import Any, Final

MODULES: Final[tuple[str, ...]] = (
    "batch_trace",
    "vmap",
)
"""The modules of this package."""


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"oakum.transforms.batching.{name}")
    raise AttributeError(f"module 'oakum.transforms.batching' has no attribute {name!r}")
