"""Clustering."""

import importlib
from typing import Any, Final

_MODULES: Final = frozenset("vq".split())


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"oakum.scipy.cluster.{name}")
    raise AttributeError(f"module 'oakum.scipy.cluster' has no attribute {name!r}")
