"""Spatial algorithms."""

import importlib
from typing import Any, Final

_MODULES: Final = frozenset("transform".split())


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"oakum.scipy.spatial.{name}")
    raise AttributeError(f"module 'oakum.scipy.spatial' has no attribute {name!r}")
